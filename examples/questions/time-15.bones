// dicedist -f examples/questions/time-15.bones
// A (20 hp, 55 %, d8) and B (16 hp, 65 %, d6) strike in turns, A first: chance A wins
repeat a = 20, b = 16 while a > 0 and b > 0 do
  let q = b - (if d20 <= 11 then d8 else 0) in
  (if q <= 0 then a else a - (if d20 <= 13 then d6 else 0)), q
then a > 0
