// dicedist -f examples/questions/pool-05.bones
// Shadowrun with 6 dice: 5 and 6 are hits; more than half of the dice showing 1 is a glitch.
let x = 6#d6 in { hits: count >=5 x, glitch: count ==1 x > 3 }
