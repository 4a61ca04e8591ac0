if >3 d6 and >3 d8 then 1 else 0
