// A rule may span lines and say what it means: ten dice and a bonus of seven.
sum(10#d6) +   // this is a comment
7
