// dicedist -f examples/questions/opt-02.bones
// Fate 4dF: reroll or +2, whichever is better against difficulty 2: chance to succeed
let r = sum(4#dF) in
  best again in 0..1 do (if again == 1 then sum(4#dF) else r + 2) >= 2
