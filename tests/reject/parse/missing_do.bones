foreach x in 1..3 x
