count(3#d6 >= 5)
