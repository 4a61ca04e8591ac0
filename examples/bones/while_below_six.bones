// Roll a die again and again until it shows a six, and keep every roll.
while x=d6 do ((count <6 x)#d6)
