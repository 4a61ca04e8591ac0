// dicedist -f examples/house_rules/otherkind.bones
// Otherkind dice: roll three, then choose which one counts for what. What is there to give away? 1 and 2 are bad, 3 and 4 are mixed, 5 and 6 are good.
three dice to give away: foreach x in 3#d6 do if >=5 x then "good" else if >=3 x then "mixed" else "bad"
