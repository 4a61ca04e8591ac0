// dicedist -f examples/questions/pool-19.bones
// Savage Worlds d8: -1 critical failure (both dice 1), else success and raises 0,1,2,… = 1+(x-4)/4
let a = d8 in let b = d6 in if a == 1 and b == 1 then -1 else
  let x = max(sum(while y = a do (count ==8 y)#d8), sum(while y = b do (count ==6 y)#d6)) in if x >= 4 then x div 4 else 0
