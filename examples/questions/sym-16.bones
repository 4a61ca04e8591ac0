// dicedist -f examples/questions/sym-16.bones
// Unknown Armies: d100 under 55, may swap the digits if that helps
let t = d10 - 1 in let u = d10 - 1 in min(10*t + u, 10*u + t) <= 55
