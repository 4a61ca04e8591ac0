// Ability scores of D&D: four dice, drop the lowest, add the rest.
sum(drop low 1 4#d6)
