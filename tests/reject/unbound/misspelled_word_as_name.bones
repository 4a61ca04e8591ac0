hihg
