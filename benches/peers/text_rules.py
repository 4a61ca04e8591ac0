"""The rules of the comparison for the package for Python that is built here, as texts: what the command is given."""

import dicedist
from measure import main
from python_rules import denominator, items
from run import RULES as RULES_OF_COMMAND

RULES = {
    name: lambda text=text: dicedist.solve(text, time=60) for name, text, *_ in RULES_OF_COMMAND
}

if __name__ == "__main__":
    main(RULES, items, denominator)
