// dicedist -f examples/questions/pool-18.bones
// trait d8 and wild d6, both ace, higher counts: 4+, 8+, 12+
def ace(n) = sum(while x = d n do (count ==n x)#d n)
max(ace(8), ace(6))
