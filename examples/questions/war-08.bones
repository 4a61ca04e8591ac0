// dicedist -f examples/questions/war-08.bones
// if a d6 shows over 3 use the highest of 3d6, else the lowest
if d6 > 3 then max(3#d6) else min(3#d6)
