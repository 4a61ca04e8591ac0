// dicedist -f examples/questions/out-04.bones --set ac=10..20
// mean damage of d20+5 v. AC 10..20, d8+3, crit
let r = d20 in if r == 20 then sum(2#d8) + 3 else if r > 1 and r + 5 >= ac then d8 + 3 else 0
