foreach x in c do x+1
