// dicedist -f examples/house_rules/roll_and_keep.bones --view at-least
// Roll and keep: what do explosions do to 10k5, and is 7k5 far behind?
exploding 10k5: sum(high 5 10#sum(while x=d10 do ((count ==10 x)#d10)));
exploding 7k5: sum(high 5 7#sum(while x=d10 do ((count ==10 x)#d10)));
plain 10k5: sum(high 5 10#d10)
