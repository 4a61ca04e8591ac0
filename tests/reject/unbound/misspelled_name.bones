let attack=d20 in atack+5
