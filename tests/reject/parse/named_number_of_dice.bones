let n=3 in nd6
