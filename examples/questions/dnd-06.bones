// dicedist -f examples/questions/dnd-06.bones
// Death saves: three successes before three failures. 1 counts twice, 20 revives.
repeat good = 0, bad = 0 until good >= 3 or bad >= 3 do
  case d20 { 20: (3, bad), 10..19: (good + 1, bad), 2..9: (good, bad + 1), 1: (good, bad + 2) }
then good >= 3
