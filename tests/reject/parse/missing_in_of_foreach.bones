foreach x 1..3 do x
