// dicedist -f examples/questions/out-03.bones
// 4d6dl at least each value
sum(drop low 1 4#d6)
