// dicedist -f examples/questions/fn-04.bones --set m=-6..10
// action die +2, momentum m (negative cancels a die of that value, positive replaces): challenge dice beaten
let r = d6 in let s = (if r == -m then 0 else r) in count <(max(min(s + 2, 10), m)) 2#d10
