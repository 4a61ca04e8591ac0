// dicedist -f examples/questions/pool-24.bones
// The One Ring: feat die (1-10, eye 0, Gandalf always succeeds) + 3d6 against 14
let f = d12 in f == 12 or (case f {11: 0, else: f}) + sum(3#d6) >= 14
