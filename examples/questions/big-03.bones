// dicedist -f examples/questions/big-03.bones
// product of four d100: chance of exactly 1,000,000
prod(4#d100)
