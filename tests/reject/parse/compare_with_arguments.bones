compare(d20+7, d20+3)
