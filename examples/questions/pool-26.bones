// dicedist -f examples/questions/pool-26.bones
// each of 3 stress dice cancels the highest action die of 5 that it equals or beats; how many are left
count(repeat left = 5#d6 for s in rev sort 3#d6 do without (high 1 (<=s left)) left)
