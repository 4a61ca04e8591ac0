// dicedist -f examples/questions/pool-10.bones
// all matching sets (pairs and more) of 10d10
let x = 10#d10 in foreach y in 1..10 do let c = count ==y x in if c >= 2 then c else ()
