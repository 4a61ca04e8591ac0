// dicedist -f examples/questions/sym-03.bones
// Genesys: 1 ability die against 1 difficulty die.
def s = { success: 1, advantage: 0 }
def a = { success: 0, advantage: 1 }
def none = 0 * s
def ability = d{none, s, s, s + s, a, a, s + a, a + a}
def difficulty = d{none, s, s + s, a, a, a, a + a, s + a}
ability - difficulty
