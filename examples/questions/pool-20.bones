// dicedist -f examples/questions/pool-20.bones
// Burning Wheel: 5 dice, 4+ successes, sixes rolled again: at least 4
count >=4 (while x = 5#d6 do (count ==6 x)#d6)
