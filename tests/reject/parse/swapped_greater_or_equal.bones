count =>4 5#d6
