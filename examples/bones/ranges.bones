// All numbers between two, also when the end is rolled (4..d10 is empty when the die shows less).
1..10;
4..d10
