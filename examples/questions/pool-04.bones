// dicedist -f examples/questions/pool-04.bones
// old World of Darkness: 6 dice against 7, ones cancel, below 0 is botch; net successes
let c = 6#d10 in (count >=7 c) - (count ==1 c)
