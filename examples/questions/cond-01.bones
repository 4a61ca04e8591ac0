// dicedist -f examples/questions/cond-01.bones
// 17 d20, of which at least ten show 15 or more: at most four are below 10.
let x = 17#d20 in count <10 x <= 4 given count >=15 x >= 10
