case d20 of {..10: "miss", else: "hit"}
