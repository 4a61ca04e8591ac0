// dicedist -f examples/questions/cond-04.bones
// Degenesis, 6 dice: how many triggers come with at least 3 successes?
let x = 6#d6 in count ==6 x given count >=4 x >= 3
