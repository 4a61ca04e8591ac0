d6 x 3
