highest
