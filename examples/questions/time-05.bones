// dicedist -f examples/questions/time-05.bones
// item with 6 charges: each use d6, if it is >= the charges left one is spent; uses until empty
repeat uses = 0, left = 6 until left == 0 do uses + 1, left - (d6 >= left) then uses
