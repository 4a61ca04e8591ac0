// dicedist -f examples/questions/pool-09.bones
// Blades with 0 dice: the lower of two
case min(2#d6) {6: 2, 4..5: 1, else: 0}
