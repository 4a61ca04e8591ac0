let d=2 in 1
