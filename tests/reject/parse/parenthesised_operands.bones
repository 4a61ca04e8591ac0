high(1 4#d6)
