let x=2 in 3x
