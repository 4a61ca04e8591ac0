// dicedist -f examples/questions/out-01.bones
// d20+6 against d20+4: chance to beat (ties lose)
d20 + 6 > d20 + 4
