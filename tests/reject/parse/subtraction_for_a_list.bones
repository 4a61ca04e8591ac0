low 1 -2
