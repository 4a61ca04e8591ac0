// dicedist -f examples/questions/war-12.bones
// 3d6, reroll the lowest die once, keep the new one
let x = 3#d6 in sum(high 2 x) + d6
