let d2 = d4 in case d2 {1: 2, else: 3}
