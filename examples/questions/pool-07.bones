// dicedist -f examples/questions/pool-07.bones
// Degenesis 6 dice: successes 4+, triggers 6, botch if ones exceed successes; P(at least 2 successes and 1 trigger,
// no botch)
let c = 6#d6 in count >=4 c >= 2 and count ==6 c >= 1 and count ==1 c <= count >=4 c
