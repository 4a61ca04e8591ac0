// The best three of five dice.
high 3 5#d6
