if 1 then
