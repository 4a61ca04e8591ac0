// How many members a list has: three, and the sixes among ten dice.
count(1,2,3);
count(== 6 10#d6)
