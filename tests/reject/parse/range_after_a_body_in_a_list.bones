1,foreach x in (1,2) do 1..x..3
