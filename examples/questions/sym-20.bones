// dicedist -f examples/questions/sym-20.bones
// d6 dice of d6
sum(d6#d6)
