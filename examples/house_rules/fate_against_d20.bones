// dicedist -f examples/house_rules/fate_against_d20.bones
// What if we replaced the four Fate dice by a d20, or by one die less another?
Fate dice: sum(4#(d3-2));
d20 less 10: d20-10;
d6 less d6: d6-d6
