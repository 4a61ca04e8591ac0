// dicedist -f examples/questions/time-02.bones
// how many d20 until three are below 10 (third failure)
repeat rolls = 0, fails = 0 until fails == 3 do rolls + 1, fails + count <10 d20 then rolls
