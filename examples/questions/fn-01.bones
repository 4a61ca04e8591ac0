// dicedist -f examples/questions/fn-01.bones
// AGE stunt points: 2d6 + stunt die against 12; on a hit with any pair (of dice that still hit) the stunt die
let x = 2#d6 in let s = d6 in let h = max(x) in let a = first 1 x in let b = last 1 x in
if a + b + s < 12 then 0
else if s == h then s
else if ==s x then (if h + 2*s >= 12 or (a == b and 2*a + s >= 12) then s else 0)
else if a == b and 2*a + s >= 12 then s else 0
