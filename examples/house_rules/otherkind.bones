// dicedist -f examples/house_rules/otherkind.bones
// Otherkind dice: roll three, then choose which one counts for what. 1 is bad (1, 2), 2 is mixed (3, 4), 3 is good (5, 6).
three dice to give away: foreach x in 3#d6 do if >=5 x then 3 else if >=3 x then 2 else 1
