d20adv
