// dicedist -f examples/questions/pool-02.bones
// Exalted: 8 dice, 7+ is one success, 10 two
let c = 8#d10 in (count >=7 c) + (count ==10 c)
