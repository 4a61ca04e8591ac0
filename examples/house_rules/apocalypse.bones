// dicedist -f examples/house_rules/apocalypse.bones --set s=-1..3
// Powered by the Apocalypse: two dice and a stat s. 0 is a miss (6 or less), 1 a partial success (7 to 9), 2 a full one (10 or more).
move with s: let x=sum(2#d6)+s in if >=10 x then 2 else if >=7 x then 1 else 0
