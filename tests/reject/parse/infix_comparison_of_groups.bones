if (2#d6) >= (2#d8) then 1 else 0
