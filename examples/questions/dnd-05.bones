// dicedist -f examples/questions/dnd-05.bones
// 4d6 keep 3 where 1s and 2s are rerolled until they go
sum(high 3 4#(reroll x = d6 until x > 2))
