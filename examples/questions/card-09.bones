// dicedist -f examples/questions/card-09.bones
// secret Santa with 6: nobody draws himself
let p = perm (1..6) in (count(foreach i in 1..6 do ==i last 1 first i p)) == 0
