// dicedist -f examples/questions/opt-02.bones
// Fate 4dF: reroll or +2, whichever is better against difficulty 2: chance to succeed
let r = sum(4#dF) in (if r >= 0 then r + 2 else sum(4#dF)) >= 2
