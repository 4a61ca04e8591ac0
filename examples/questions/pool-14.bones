// dicedist -f examples/questions/pool-14.bones
// Cortex Prime: d12,d10,2d8,d6, ones are 0, two highest
sum(high 2 foreach x in (d12, d10, 2#d8, d6) do if x == 1 then 0 else x)
