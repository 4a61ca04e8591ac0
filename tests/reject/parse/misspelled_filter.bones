hihg 1 2#d6
