// dicedist -f examples/questions/out-06.bones
// sum of six 5e modifiers of 4d6dl scores
sum(6#((sum(drop low 1 4#d6) - 10) div 2))
