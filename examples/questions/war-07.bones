// dicedist -f examples/questions/war-07.bones
// Cyberpunk RED: d10, 10 adds d10, 1 subtracts d10; 6+ v. 2+ (opposed)
def check = let r = d10 in case r {10: 10 + d10, 1: 1 - d10, else: r}
a: 6 + check
b: 2 + check
