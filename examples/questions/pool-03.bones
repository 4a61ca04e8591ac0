// dicedist -f examples/questions/pool-03.bones
// nWoD: 5 dice, 8+ success, 10s again
count >=8 (while x = 5#d10 do (count ==10 x)#d10)
