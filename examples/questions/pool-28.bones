// dicedist -f examples/questions/pool-28.bones
// Green d10, d8 against red d6, d8: equal dice eliminate each other, and the two highest that are left decide.
let green = (d10, d8) in let red = (d6, d8) in
let left = (foreach v in without red green do { value: v, green: 1 }), (foreach v in without green red do { value: v, green: 0 }) in
case sum green of high 2 left { 0: if count left == 0 then "mixed" else "red", 1: if count left == 1 then "green" else "mixed", 2: "green" }
