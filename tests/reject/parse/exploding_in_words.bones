explode d6
