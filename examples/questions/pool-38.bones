// dicedist -f examples/questions/pool-38.bones
// brawl 3d6 v. 3d6: each side scores dice >= the other's best; equal: sorted comparison
let a = 3#d6 in let b = 3#d6 in (count >=max(b) a) - (count >=max(a) b)
