if not >3 d6 then 1 else 0
