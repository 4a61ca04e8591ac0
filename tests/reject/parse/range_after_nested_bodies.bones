let x=1 in 1+let y=2 in 3..4..5
