count(6, 5d6)
