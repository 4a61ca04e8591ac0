// dicedist -f examples/questions/dnd-20.bones
// rounds of three such attacks (dnd-08) until 45 hit points are gone
def attack = let r = d20 in if r == 20 then sum(2#d8) + 3 else if r >= 10 then d8 + 3 else 0
repeat rounds = 0, hp = 45 until hp <= 0 do rounds + 1, hp - sum(3#attack) then rounds
