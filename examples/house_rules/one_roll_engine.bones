// dicedist -f examples/house_rules/one_roll_engine.bones --set n=2..10..2 --view at-least
// One-Roll Engine: how wide is the widest set of matching dice? Two of a kind is a success.
widest set of n dice: let x=n#d10 in high 1 (foreach y in 1..10 do count ==y x)
