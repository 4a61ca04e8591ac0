if =6 d6 then 1 else 0
