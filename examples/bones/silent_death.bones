// Silent Death: two d8s and a d10 hit above 15; which dice count as damage depends on which are equal.
let x = 2#d8,d10 in
(count >15 sum x)#
let a = low 1 x in // low die
let b = high 1 low 2 x in // middle die
let c = high 1 x in // high die
if ==a ==b c then a+b+c // all equal
else if ==a <c b then c // two low equal
else if >a ==c b then b+c // two high equal
else b // all different
