attack d20+5
