count 6 n#d6
