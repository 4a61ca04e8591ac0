// dicedist -f examples/questions/opt-01.bones
// dice game of threes with 5 dice (3 counts 0): set aside at least one each round; least expected total
def rest(n) =
  if n == 0 then 0
  else let x = sort n#d{0, 1, 2, 4, 5, 6} in
    best aside in 1..n do rest(n - aside) - sum(first aside x)
-rest(5)
