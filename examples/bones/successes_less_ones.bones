// Count the dice above 7, less the ones.
let c=5#d10 in (count >7 c)-(count ==1 c)
