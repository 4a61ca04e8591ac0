// dicedist -f examples/questions/opt-06.bones
// Ironsworn +1: reroll any subset of the three dice once, best choice for a strong hit
let action = d6 in let challenge = 2#d10 in
  best again in 0..1 do best kept from challenge do
    let score = (if again == 1 then d6 else action) + 1 in
      count <score (kept, (2 - count kept)#d10) == 2
