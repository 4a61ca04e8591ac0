d20kh1
