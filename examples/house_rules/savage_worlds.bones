// dicedist -f examples/house_rules/savage_worlds.bones --set n=4..12..2 --view at-least --at-least 4 --at-least 8
// Savage Worlds: a trait die of n sides and a wild die of six, both exploding; the better counts. Success is 4, a raise 8.
trait and wild die: high 1 (sum(while x=d n do ((count ==n x)#d n)), sum(while x=d6 do ((count ==6 x)#d6)))
