// dicedist -f examples/questions/pool-23.bones
// Fate: 4dF +2 against 4dF +1, chance to win or tie
us: sum(4#dF) + 2
them: sum(4#dF) + 1
