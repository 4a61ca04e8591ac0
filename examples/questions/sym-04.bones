// dicedist -f examples/questions/sym-04.bones
// X-Wing attack 3 dice (3 hit+crit of 8... hit 3, crit 1) v. 2 evade dice (3 of 8): damage, no tokens
max(0, (count >=5 3#d8) - (count >=6 2#d8))
