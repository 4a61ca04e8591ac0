// One die: six sides, a coin, and a die that starts at zero.
d6;
d2;
d10-1
