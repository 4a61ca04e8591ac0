foreach x=3#d6 do x*x
