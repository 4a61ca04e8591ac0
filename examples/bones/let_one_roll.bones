// One roll used twice: squares, where d6*d6 would roll again.
let x = d6 in x*x
