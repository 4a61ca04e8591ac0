// dicedist -f examples/house_rules/warhammer.bones --view at-least
// Warhammer: twenty attacks that hit on 3, wound on 4 and are saved on 5. Which special rule is worth its points?
as printed: count <5 (count >=4 (count >=3 20#d6)#d6)#d6;
hits of 1 rolled again: count <5 (count >=4 (count >=3 (foreach x in 20#d6 do if ==1 x then d6 else x))#d6)#d6;
wounds on 3: count <5 (count >=3 (count >=3 20#d6)#d6)#d6;
no saves: count >=4 (count >=3 20#d6)#d6
