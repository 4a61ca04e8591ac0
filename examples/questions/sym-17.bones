// dicedist -f examples/questions/sym-17.bones
// Call of Cthulhu, skill 65, with a bonus die: of two tens dice the one counts that makes the lower roll.
let ones = d10 - 1 in
let roll = min(foreach tens in 2#(d10 - 1) do if tens == 0 and ones == 0 then 100 else 10 * tens + ones) in
case roll { 100: "fumble", 66..99: "failure", 33..65: "regular", 14..32: "hard", ..13: "extreme" }
