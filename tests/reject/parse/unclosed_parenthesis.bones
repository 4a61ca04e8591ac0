sum(high 3 (4#d6)
