min(2#d6)
