// The start of a list.
first 3 (1..10)
