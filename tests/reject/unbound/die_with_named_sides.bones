let x=6 in dx
