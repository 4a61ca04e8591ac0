// dicedist -f examples/questions/pool-15.bones
// Cortex with d8, d8, d6: the total of the two highest dice, and the size of the largest other die as the effect. A 1 counts for
// neither; without a die left the effect is a d4.
def die(size) = let v = d size in if v > 1 then { value: v, size: size } else ()
let dice = (die(8), die(8), die(6)) in
  { total: sum value of high 2 dice, effect: max(4, size of drop high 2 dice) }
