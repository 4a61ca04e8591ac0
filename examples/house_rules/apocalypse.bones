// dicedist -f examples/house_rules/apocalypse.bones --set s=-1..3
// Powered by the Apocalypse: two dice and a stat s. How often is a move a miss, a partial success, a full one? 6 or less is a miss, 10 or more a full success.
move with s: case sum(2#d6)+s {..6: "miss", 7..9: "partial success", 10..: "full success"}
