// dicedist -f examples/house_rules/best_of_six_arrays.bones
// How much stronger is the party if everyone may roll six arrays of six scores and keep the one with the best total?
one array: sum(6#sum(drop low 1 4#d6));
best of six: high 1 6#sum(6#sum(drop low 1 4#d6))
