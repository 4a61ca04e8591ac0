// dicedist -f examples/questions/pool-31.bones
// CthulhuTech 5d10: best of a set's sum and a straight of three or more
let x = 5#d10 in max((foreach y in 1..10 do sum ==y x), foreach i in 1..8 do foreach j in (i+2)..10 do
  if count(foreach k in i..j do first 1 ==k x) == j - i + 1 then (i + j)*(j - i + 1) div 2 else ())
