// dicedist -f examples/house_rules/great_weapons.bones
// Greatsword or greataxe, and what is rolling low dice again once worth?
greatsword: sum(2#d6);
greataxe: d12;
greatsword again: sum(foreach x in 2#d6 do if <=2 x then d6 else x)
