// A bonus for each die of a roll.
let c = 3#d6 in foreach x in c do x+1
