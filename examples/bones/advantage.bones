// Advantage and disadvantage of D&D beside one plain die.
d20;
high 1 2#d20;
low 1 2#d20
