// dicedist -f examples/questions/war-03.bones
// 10 attacks 3+, each 6 counts two hits (sustained 1), wound 4+
let h = 10#d6 in count >=4 ((count >=3 h) + (count ==6 h))#d6
