// How many rolls it takes to see a six.
count (while x=d6 do ((count <6 x)#d6))
