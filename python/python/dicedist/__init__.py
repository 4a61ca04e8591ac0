"""Exact probability distributions of dice rules, as fractions.

Three ways lead to a distribution, a ``Dist``:

- a rule as a text, in the notation that you know: ``solve("4d6kh3")``, ``solve("sum(drop low 1 4#d6)")``, or an AnyDice program;
  ``rule`` reads it for later, ``sweep`` solves it for several values of a name;
- an expression of dice: ``d(6).times(4).drop_lowest(1).sum().solve()``, ``(4 @ d(6)).solve()`` (``help(dicedist.dice)``);
- outcomes with their weights: ``Dist([1, 1, 2])``, ``Dist({"hit": 3, "miss": 1})``.

A ``Dist`` is a mapping from outcomes to ``fractions.Fraction``, with questions (``at_least``, ``mean``, ``quantile``, ``given``, ``versus``) and operators;
notebooks show it as a table with a picture. ``compare`` puts several side by side.

>>> import dicedist
>>> from dicedist import d
>>> ability = dicedist.solve("sum(drop low 1 4#d6)")
>>> ability.at_least(15)
Fraction(25, 108)
>>> ability == d(6).times(4).drop_lowest(1).sum().solve()
True
>>> ability.versus(3 @ d(6).solve()).dominance
'a'
"""

from ._compare import Comparison, compare
from ._dist import Dist, Sampling, Versus
from ._engine import VERSION as _VERSION
from ._engine import dialects as _dialects
from ._numbers import Interval
from ._record import Record
from ._rule import Rule, rule, rules, solve
from ._sweep import Sweep, sweep
from .dice import (
    Condition,
    Expression,
    Given,
    Number,
    Pool,
    RecordOf,
    Rounds,
    d,
    die,
    faces,
    pool,
    record,
    repeat_until,
    share,
    weighted,
)
from .errors import (
    DicedistError,
    DivisionByZeroError,
    Finding,
    InternalError,
    LimitError,
    ParseError,
    UnboundError,
)

__version__: str = _VERSION

#: The names of all notations.
DIALECTS: tuple[str, ...] = tuple(_dialects())

__all__ = [
    "DIALECTS",
    "Comparison",
    "Condition",
    "DicedistError",
    "Dist",
    "DivisionByZeroError",
    "Expression",
    "Finding",
    "Given",
    "InternalError",
    "Interval",
    "LimitError",
    "Number",
    "ParseError",
    "Pool",
    "Record",
    "RecordOf",
    "Rounds",
    "Rule",
    "Sampling",
    "Sweep",
    "UnboundError",
    "Versus",
    "compare",
    "d",
    "die",
    "faces",
    "pool",
    "record",
    "repeat_until",
    "rule",
    "rules",
    "share",
    "solve",
    "sweep",
    "weighted",
]
