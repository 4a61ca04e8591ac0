max(2#d6)
