// A trap: count gives a number, a number is never empty, so this is always 1 (and earns a warning).
if count(>4 2#d6) then 1 else 0
