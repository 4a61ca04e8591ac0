// dicedist -f examples/questions/time-10.bones
// Chutes and Ladders, d6 spinner, exact finish not needed to overshoot (stay); mean number of turns
count(while p=0 do if p == 100 then () else let n = p + d6 in if n > 100 then p else case n {1: 38, 4: 14, 9: 31, 16: 6, 21: 42, 28: 84, 36: 44, 47: 26, 49: 11, 51: 67, 56: 53, 62: 19, 64: 60, 71: 91, 80: 100, 87: 24, 93: 73, 95: 75, 98: 78, else: n}) - 1
