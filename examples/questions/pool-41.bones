// dicedist -f examples/questions/pool-41.bones
// 3d6, each 6 rolled again once (explode depth 1)
sum(foreach x in 3#d6 do if x == 6 then 6 + d6 else x)
