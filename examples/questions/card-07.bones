// dicedist -f examples/questions/card-07.bones
// chaos bag: 5 red, 3 blue, 2 skull; draw until a token that is no skull, skulls set aside: skulls drawn
let b = perm (5#1, 3#2, 2#3) in let c = first 3 b in
if first 1 c != 3 then 0 else if last 1 first 2 c != 3 then 1 else 2
