let a = 1, d = 2 in a + d
