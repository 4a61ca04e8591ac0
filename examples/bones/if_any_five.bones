// One success if any of two dice shows more than 4: the condition is a list, true when it has members.
if (>4 2#d6) then 1 else 0
