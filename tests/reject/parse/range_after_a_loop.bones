while x=() do 1..2..3
