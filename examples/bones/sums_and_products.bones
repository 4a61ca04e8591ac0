// A list made one number: the sum of 1 to 100, and the product of three dice.
sum(1..100);
prod(3#d6)
