// dicedist -f examples/questions/sym-18.bones
// d100 (0-99) under 60; doubles are critical: crit success, success, failure, crit failure
let r = d100 - 1 in let k = (if r div 10 == r mod 10 then 2 else 1) in if r < 60 then k else -k
