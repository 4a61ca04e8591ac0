reroll 1 d6
