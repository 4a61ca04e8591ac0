// dicedist -f examples/house_rules/half_the_time.bones --set n=1..12 --view at-least --at-least 2
// How many dice do I need for two successes half of the time?
successes of n dice: count >=7 n#d10
