case {d6 > 3: 1, else: 2}
