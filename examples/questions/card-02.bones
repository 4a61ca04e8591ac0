// dicedist -f examples/questions/card-02.bones
// chance of a flush (incl. straight flush) in five cards
let h = draw 5 {1..4: 13} in count distinct h == 1
