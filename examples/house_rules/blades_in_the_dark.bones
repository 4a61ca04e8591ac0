// dicedist -f examples/house_rules/blades_in_the_dark.bones --set n=1..6 --view at-least
// Blades in the Dark: the highest of n dice decides. 0 is failure, 1 success at a cost (4, 5), 2 success (6), 3 critical (two 6).
action with n dice: let x=n#d6 in if ==2 count first 2 ==6 x then 3 else if ==6 x then 2 else if >3 x then 1 else 0
