// dicedist -f examples/questions/sym-02.bones
// Genesys: 3 ability dice and 1 proficiency die against 3 difficulty dice. At least 1 net success and 2 net advantages together.
def none = { success: 0, advantage: 0 }
def s = { success: 1, advantage: 0 }
def a = { success: 0, advantage: 1 }
def ability = d{none, s, s, s + s, a, a, s + a, a + a}
def proficiency = d{none, s: 2, s + s: 2, a: 1, s + a: 3, a + a: 2, s: 1}
def difficulty = d{none, s, s + s, a: 3, a + a, s + a}
let net = sum(3#ability) + proficiency - sum(3#difficulty) in success of net >= 1 and advantage of net >= 2
