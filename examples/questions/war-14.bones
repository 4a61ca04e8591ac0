// dicedist -f examples/questions/war-14.bones
// highest two of d12,d12,d10,d4 (AnyDice needs a function)
sum(high 2 (2#d12, d10, d4))
