let x = d6 in let d = sort 2#d6 in {att: x, def: 2}
