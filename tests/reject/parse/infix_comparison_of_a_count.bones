count 5#d6 >= 4
