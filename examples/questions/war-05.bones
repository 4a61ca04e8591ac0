// dicedist -f examples/questions/war-05.bones
// 2nd highest of 4d10: below 6 0, 6-7 1, 8-9 2, 10 3
case rank 2 4#d10 {..5: 0, 6..7: 1, 8..9: 2, 10: 3}
