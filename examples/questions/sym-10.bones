// dicedist -f examples/questions/sym-10.bones
// d8+d12 to rarity (2-4, 18-20 very rare 4; 5-6, 16-17 rare 3; 7-8, 14-15 uncommon 2; 9-13 common 1), if any of 3d6
// shows 1, else 0
if ==1 3#d6 then case d8 + d12 {2..4 or 18..20: 4, 5..6 or 16..17: 3, 7..8 or 14..15: 2, 9..13: 1} else 0
