// dicedist -f examples/questions/out-02.bones --set n=1..4 --set m=1..4
// chance that nd6 beats md6 for n, m in 1..4
sum(n#d6) > sum(m#d6)
