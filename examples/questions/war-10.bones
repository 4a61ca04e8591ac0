// dicedist -f examples/questions/war-10.bones
// 12d6 normal damage: stun and body (1: 0, 2-5: 1, 6: 2) together, P(stun >= 45 and body >= 13)
let x = 12#d6 in sum x >= 45 and (count >=2 x) + (count ==6 x) >= 13
