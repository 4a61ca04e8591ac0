summ(3#d6)
