def d(x) = x; d(3)
