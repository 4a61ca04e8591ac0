// Storyteller, target number 8: successes less ones, or a botch (-1) for ones without any success.
let c=5#d10 in
let succs = count >7 c in
let ones = count ==1 c in
if >0 succs then high 1 (0,succs-ones)
else if >0 ones then -1 else 0
