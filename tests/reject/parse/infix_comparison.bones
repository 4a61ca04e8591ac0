let a=d6 in let b=d6 in if a > b then 1 else 0
