if 1 then 12 else 5..6..3
