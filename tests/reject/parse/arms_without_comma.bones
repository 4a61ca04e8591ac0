case d6 {1: 2 2: 3}
