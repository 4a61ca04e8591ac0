// dicedist -f examples/questions/out-12.bones
// as counts out of 36: 2d6
sum(2#d6)
