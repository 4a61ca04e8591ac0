// dicedist -f examples/questions/time-17.bones
// Ars Magica stress die: 1 doubles and rolls again, 0 (10) may botch with 2 botch dice; result (botch = -1)
let r = d10 in case r {
  10: -(count first 1 ==10 2#d10),
  1: (let w = (while x = 1 do if x == 1 then d10 else ()) in (last 1 w) * 2^(count w - 1)),
  else: r}
