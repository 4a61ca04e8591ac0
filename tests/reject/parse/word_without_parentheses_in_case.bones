case max 2#d6 {1: "a", else: "b"}
