// dicedist -f examples/questions/dnd-21.bones
// chaos bolt: 2d8 + d6, cast again at a new target where the two d8 are equal: the total
repeat total = 0, again = 1 while again == 1 do
  let a = d8 in let b = d8 in
  total + a + b + d6, a == b then total
