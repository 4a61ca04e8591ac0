// dicedist -f examples/questions/time-08.bones
// RISK attrition 4 v. 3: pairs of sorted d6, higher eliminates, ties nothing, until one side is empty; a wins
repeat a = 4, b = 3 while a > 0 and b > 0 do
  let x = a#d6 in let y = b#d6 in
  let lost = count(foreach i in 1..min(a, b) do rank i x < rank i y) in
  let won = count(foreach i in 1..min(a, b) do rank i x > rank i y) in
  a - lost, b - won then a > 0
