// dicedist -f examples/questions/big-02.bones --set p=1..6
// two arrays of six ability scores: the p-th best score of the one with the higher total
def scores = 6#sum(drop low 1 4#d6)
let a = scores in let b = scores in rank p (if sum a >= sum b then a else b)
