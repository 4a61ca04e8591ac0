d20+5>=15 twice
