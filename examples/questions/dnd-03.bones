// dicedist -f examples/questions/dnd-03.bones
// advantage, disadvantage and three dice (elven accuracy) on a d20, +6, chance of 15 or more
plain: d20 + 6
advantage: max(2#d20) + 6
elven: max(3#d20) + 6
