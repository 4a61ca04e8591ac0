let x = d20 in switch x {..10: 0, else: 1}
