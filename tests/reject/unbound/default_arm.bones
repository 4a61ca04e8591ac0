case d20 {1: 2, default: 3}
