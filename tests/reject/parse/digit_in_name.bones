let x1=2 in x1
