sum 3#d6) + 2
