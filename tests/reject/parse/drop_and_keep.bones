drop keep > 1 (1,2)
