// Seven d10s: the largest sum of dice that show the same.
let x = 7#d10 in high 1 (foreach y in 1..10 do sum (==y x))
