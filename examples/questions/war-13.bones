// dicedist -f examples/questions/war-13.bones
// 2d6, if the low die is 1 reroll it
let x = 2#d6 in if min(x) == 1 then max(x) + d6 else sum x
