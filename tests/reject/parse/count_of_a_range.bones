count 1..3 5#d6
