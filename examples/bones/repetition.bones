// The same again and again: ten eights, and three ten-sided dice.
10#8;
3#d10
