// dicedist -f examples/questions/pool-27.bones
// the same, the surviving action dice themselves
repeat left = 5#d6 for s in sort 3#d6 do without (high 1 (<=s left)) left
