4d6 drop lowest
