// dicedist -f examples/house_rules/storyteller_botch.bones --set t=4..9 --exactly -1 --at-least 1
// Storyteller: five dice against a target number t. Each 1 takes a success away; a 1 without any success is a botch, -1.
successes against t: let c=5#d10 in if >=t c then high 1 (0, (count >=t c)-(count ==1 c)) else 0-(count first 1 ==1 c)
