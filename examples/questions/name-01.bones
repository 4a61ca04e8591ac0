// dicedist -f examples/questions/name-01.bones
// a table headed "4d6 drop lowest" and "3d6"
4d6 drop lowest: sum(drop low 1 4#d6)
3d6: sum(3#d6)
