“sum(3#d6)”
