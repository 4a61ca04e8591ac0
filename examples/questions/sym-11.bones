// dicedist -f examples/questions/sym-11.bones
// d66 on a table with ranges 11-23, 24-45, 46-66
case d6.d6 {..23: 1, 24..45: 2, 46..: 3}
