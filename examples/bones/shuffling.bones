// A shuffled deck of cards, and the three on top.
perm(1..52);
first 3 perm(1..52)
