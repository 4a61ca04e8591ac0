// dicedist -f examples/questions/war-02.bones
// 5 unsaved wounds of d3 damage against models of 2 wounds: models killed
repeat wounds = 2, killed = 0 for i in 1..5 do
  let q = wounds - d3 in if q > 0 then q, killed else 2, killed + 1
then killed
