// dicedist -f examples/questions/pool-08.bones
// Blades in the Dark, 4 dice: bad / mixed / full / critical
let x = 4#d6 in if count ==6 x >= 2 then 3 else case max(x) {6: 2, 4..5: 1, else: 0}
