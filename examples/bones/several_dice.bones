// Two dice as they lie, their sum, and one die doubled: three different things.
2#d6;
sum(2#d6);
2*d6
