// dicedist -f examples/questions/pool-44.bones
// d12 explodes into d10, d8, d6, d4 (no further)
def chain(n) = let x = d n in if n > 4 and x == n then x + chain(n - 2) else x
chain(12)
