case d6 + {1: 2, else: 3}
