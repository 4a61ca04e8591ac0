// dicedist -f examples/house_rules/risk_battles.bones
// RISK: how many armies does the defender lose in one battle? Ties are the defender's.
three against two: let a=3#d6 in let b=2#d6 in count((<(high 1 a) high 1 b), (<(high 1 low 2 a) low 1 b));
two against two: let a=2#d6 in let b=2#d6 in count((<(high 1 a) high 1 b), (<(low 1 a) low 1 b));
three against one: count <(high 1 3#d6) d6;
one against two: count <(d6) high 1 2#d6
