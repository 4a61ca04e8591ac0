attack:d20
