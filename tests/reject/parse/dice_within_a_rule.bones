let hit = d20+5 in if >=15 hit then 2d6 else 0
