roll 3#d6
