// What is left after division: of a number, and a three-sided die made of a six-sided one.
11%2;
d6%3
