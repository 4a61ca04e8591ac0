d6
d8
