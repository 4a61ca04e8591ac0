// dicedist -f examples/questions/pool-11.bones
// matching sets of 3d12, 2d10, 1d8
let x = (3#d12, 2#d10, d8) in foreach y in 1..12 do let c = count ==y x in if c >= 2 then c else ()
