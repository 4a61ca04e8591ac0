// dicedist -f examples/questions/fn-07.bones
// three dice with weights 12,14,18,18,17,8,8,1,1,1,1,1 for 1..12, at most 12
min(12, sum(3#d{1: 12, 2: 14, 3: 18, 4: 18, 5: 17, 6: 8, 7: 8, 8..12}))
