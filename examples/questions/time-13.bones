// dicedist -f examples/questions/time-13.bones
// how many rolls of 6d6 (hits on 5+) until 10 hits
repeat rolls = 0, hits = 0 until hits >= 10 do rolls + 1, hits + count >=5 6#d6 then rolls
