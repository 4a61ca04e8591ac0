drop 1 (1,2)
