sum(high 2)
