// dicedist -f examples/questions/sym-01.bones
// Genesys 3 ability, 1 proficiency v. 3 difficulty: net successes
def ability = d{0, 1, 1, 2, 0, 0, 1, 0}
def proficiency = d{0, 1, 1, 2, 2, 0, 1, 1, 1, 0, 0, 1}
def difficulty = d{0, 1, 2, 0, 0, 0, 0, 1}
sum(3#ability) + proficiency - sum(3#difficulty)
