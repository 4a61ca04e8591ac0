foreahc x in 1..3 do x
