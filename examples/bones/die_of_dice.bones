// A die whose number of sides is rolled first.
5+d(d10+1)
