// dicedist -f examples/questions/card-10.bones
// birthday problem with 23: at least one shared day
let b = 23#d365 in count(foreach day in 1..365 do count ==day b >= 2) >= 1
