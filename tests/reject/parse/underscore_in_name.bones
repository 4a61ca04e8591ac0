let my_roll=d6 in 1
