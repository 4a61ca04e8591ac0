// dicedist -f examples/house_rules/exploding_damage.bones --view at-least
// Two dice of damage: what if each is rolled again on its highest face, and added, as often as it comes up?
plain: sum(2#d6);
each explodes: sum(2#sum(while x=d6 do ((count ==6 x)#d6)));
one bonus die: let x=2#d6 in sum x + (count first 1 ==6 x)*d6;
one step larger: sum(2#d8)
