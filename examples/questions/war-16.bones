// dicedist -f examples/questions/war-16.bones
// three attacks hit on 11+, d8 each, and 3d6 once if any hits
let h = count >=11 3#d20 in sum(h#d8) + (if h > 0 then sum(3#d6) else 0)
