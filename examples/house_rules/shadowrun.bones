// dicedist -f examples/house_rules/shadowrun.bones --set n=2..16..2 --view at-least
// Shadowrun: how many dice until I get the hits I need? Every 5 or 6 is a hit.
hits of n dice: count >=5 n#d6
