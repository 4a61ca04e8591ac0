// dicedist -f examples/questions/pool-34.bones
// Household 5 dice (four suits, joker, blank): largest set with jokers
let x = 5#d6 in max(foreach suit in 1..4 do count ==suit x) + count ==5 x
