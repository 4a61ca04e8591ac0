// dicedist -f examples/house_rules/world_of_darkness.bones --set n=1..10 --view at-least --at-least 1 --at-least 5
// Chronicles of Darkness: a pool of n dice, 8 or more succeeds, each 10 is rolled again. Five successes are exceptional.
successes of n dice: count >=8 (while x=n#d10 do ((count ==10 x)#d10))
