while x=1
