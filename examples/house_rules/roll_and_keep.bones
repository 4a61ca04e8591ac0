// dicedist -f examples/house_rules/roll_and_keep.bones --view at-least --tolerance 1e-6
// Roll and keep: what do explosions do to 10k5, and what are the five dice worth that are not kept?
exploding 10k5: sum(high 5 10#sum(while x=d10 do ((count ==10 x)#d10)));
exploding 5k5: sum(5#sum(while x=d10 do ((count ==10 x)#d10)));
plain 10k5: sum(high 5 10#d10)
