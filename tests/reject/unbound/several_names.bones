a+b*a
