if >3 d6 thn 1 else 0
