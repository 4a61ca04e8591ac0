// dicedist -f examples/house_rules/usage_dice.bones --view at-least
// Usage dice: after each use roll the die; on 1 or 2 it becomes the next smaller, after d4 nothing is left. How long does it last?
starting at d8: count(while x=d8 do if >2 x then d8 else ()) + count(while x=d6 do if >2 x then d6 else ()) + count(while x=d4 do if >2 x then d4 else ());
starting at d6: count(while x=d6 do if >2 x then d6 else ()) + count(while x=d4 do if >2 x then d4 else ());
starting at d4: count(while x=d4 do if >2 x then d4 else ())
