3d6: sum(3#d6)
