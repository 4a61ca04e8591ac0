// dicedist -f examples/questions/card-04.bones
// chance of a straight (incl. straight flush, ace high or low) in five cards
let h = draw 5 {1..13: 4} in
count(foreach i in 1..10 do
  count(foreach k in i..(i+4) do first 1 ==(if k == 14 then 1 else k) h) == 5) >= 1
