count >=8 in 8d10
