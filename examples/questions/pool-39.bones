// dicedist -f examples/questions/pool-39.bones
// 3d6 v. 3d6: highest wins, ties go to the next die
compare 3#d6 3#d6
