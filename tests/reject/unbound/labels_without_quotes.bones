case sum(2#d6) {..6: miss, 7..: hit}
