// Plus, minus, times, powers and opposites, on numbers and on dice.
5+7;
d6-1;
2^10;
-1
