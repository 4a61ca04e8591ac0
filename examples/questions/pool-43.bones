// dicedist -f examples/questions/pool-43.bones
// HackMaster penetrating d6: each further die counts one less
let x = d6 in if x == 6 then 6 + sum(while y = d6 - 1 do if y == 5 then d6 - 1 else ()) else x
