// dicedist -f examples/house_rules/blades_in_the_dark.bones --set n=1..6
// Blades in the Dark: the highest of n dice decides. What does one more die change? 4 and 5 are a success at a cost, two 6 are critical.
action with n dice: let x=n#d6 in if ==2 count first 2 ==6 x then "critical" else if ==6 x then "success" else if >3 x then "at a cost" else "failure"
