repeat d20 until 20
