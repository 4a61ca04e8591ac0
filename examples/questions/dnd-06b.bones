// dicedist -f examples/questions/dnd-06b.bones
// Death saves with three results.
repeat good = 0, bad = 0, up = 0 until good >= 3 or bad >= 3 or up > 0 do
  case d20 { 20: (good, bad, 1), 10..19: (good + 1, bad, 0), 2..9: (good, bad + 1, 0), 1: (good, bad + 2, 0) }
then if up > 0 then "revived" else if good >= 3 then "stable" else "dead"
