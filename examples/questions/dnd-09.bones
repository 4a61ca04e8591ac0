// dicedist -f examples/questions/dnd-09.bones
// the program as written: 2*[attack adv+12 v. 19 for 9+d12] + [crit for 4d12] (both rolls independent, one attack
// doubled)
2 * (if max(2#d20) + 12 >= 19 then 9 + d12 else 0) + (if max(2#d20) == 20 then sum(4#d12) else 0)
