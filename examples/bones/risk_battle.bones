// RISK, three dice against two: how many of the two comparisons the attacker wins.
let a = 3#d6 in
let b = 2#d6 in
count( (<(high 1 a) high 1 b),
(<(high 1 low 2 a) low 1 b))
