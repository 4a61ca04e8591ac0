// dicedist -f examples/questions/fn-02.bones
// two attacks with the same rule and other numbers: d20+8 v. 14, (d6+5 | 2d6+5) and (4d6+d8+5 | 4d6+2d8+5), total
def crit(bonus, ac, damage, more) = let r = d20 in
  if r == 20 then damage + more else if r > 1 and r + bonus >= ac then damage else 0
crit(8, 14, d6 + 5, d6) + crit(8, 14, sum(4#d6) + d8 + 5, d8)
