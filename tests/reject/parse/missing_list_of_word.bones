sum
