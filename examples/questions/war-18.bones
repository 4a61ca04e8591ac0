// dicedist -f examples/questions/war-18.bones
// 5d6 v. 5d6 sorted, ties nothing: net pairs won
let a = 5#d6 in let b = 5#d6 in
(count(foreach i in 1..5 do rank i a > rank i b)) - (count(foreach i in 1..5 do rank i b > rank i a))
