if d20 >= 15 then 1 else 0
