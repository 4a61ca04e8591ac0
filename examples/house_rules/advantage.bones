// dicedist -f examples/house_rules/advantage.bones --view at-least
// Is advantage better than a bonus of +5? It depends on the target number: find it in the first column.
plain: d20;
advantage: high 1 2#d20;
bonus of 3: d20+3;
bonus of 5: d20+5
