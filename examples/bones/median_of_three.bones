// The middle one of three d20s.
high 1 low 2 3#d20
