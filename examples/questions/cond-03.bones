// dicedist -f examples/questions/cond-03.bones
// A bag has a d4, d6, d8, d12 and d20. A die drawn at random showed 6. Which one was it?
let size = d{4, 6, 8, 12, 20} in size given d size == 6
