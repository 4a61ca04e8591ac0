let x=2 in x1+1
