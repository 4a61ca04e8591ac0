// dicedist -f examples/questions/out-08.bones
// d8 less d6, at least 1
max(1, d8 - d6)
