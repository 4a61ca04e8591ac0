// dicedist -f examples/questions/card-05.bones
// two cards of one deck: chance of a natural 21
sum draw 2 {10: 16, 11: 4, 2..9: 4} == 21
