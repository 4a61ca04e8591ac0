if >3 d6 1 else 0
