// dicedist -f examples/house_rules/ability_scores.bones --at-least 15 --at-least 18
// What does each way of rolling ability scores do to a character? Read the chance of a good score and of the best one.
heroic: sum(drop low 1 4#d6);
classic: sum(3#d6);
no weaklings: sum(2#d6)+6
