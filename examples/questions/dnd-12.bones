// dicedist -f examples/questions/dnd-12.bones
// savage attacker with GWF: better of two rolls of 13d8, 1s and 2s rerolled once
def gwf = let x = d8 in if x <= 2 then d8 else x
max(2#sum(13#gwf))
