"""Distributions: mappings from outcomes to exact probabilities, with questions and operators."""

from __future__ import annotations

import bisect
import math
import random
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Union, cast

from . import _engine, _html, _limits, _peers, _report
from ._numbers import Interval, fraction
from .errors import DicedistError, Finding, LimitError

if TYPE_CHECKING:
    import pandas

#: An exact probability, or the bounds of one.
Probability = Union[Fraction, Interval]
#: A mean or a variance: exact, within bounds, or infinite.
Moment = Union[Fraction, Interval, float]
#: ``int``, ``Fraction``, ``bool``, ``str``, a ``tuple`` of them, or a ``Record``.
Outcome = Any

#: A figure of which nothing is known.
_ANYTHING = Interval(-math.inf, math.inf)

#: More outcomes are not listed by ``repr``.
_FEW = 12


@dataclass(frozen=True)
class Origin:
    """Where a distribution comes from, for the titles of tables and pictures."""

    name: str = ""
    dialect: str | None = None


@dataclass(frozen=True)
class Sampling:
    """How a distribution was sampled: all its figures are bounds that hold together with this confidence."""

    samples: int
    seed: int
    confidence: Fraction
    stopped: str | None


@dataclass(frozen=True)
class Versus:
    """How two independent rolls ``a`` and ``b`` compare."""

    a_wins: Probability
    tie: Probability
    b_wins: Probability
    mean_difference: Fraction | None
    total_variation: Probability
    kolmogorov: Probability
    #: Which reaches every target at least as often: ``a``, ``b``, ``equal``, ``neither``; or ``open``, if that is not known.
    dominance: str


class Dist(Mapping[Outcome, Probability]):
    """An exact distribution: a mapping from outcomes, in ascending order, to probabilities.

    It is made of the outcomes, each equally likely, or of a mapping from outcomes to weights or probabilities. An outcome is an
    ``int``, a ``Fraction``, a ``bool``, a ``str``, a ``tuple`` of these, or a ``Record``; an outcome that is itself a ``Dist`` is rolled.
    Beside a tuple a single value is a tuple of one.

    >>> d6 = Dist(range(1, 7))
    >>> (d6 + d6)[7]
    Fraction(1, 6)
    >>> (3 @ d6).at_least(16)
    Fraction(5, 108)
    >>> loot = Dist({"gold": 3, "sword": 1})
    >>> loot["sword"]
    Fraction(1, 4)

    A distribution need not be complete (``is_exact``): an endless rule has a tail (``above``, ``below``) beyond the listed outcomes,
    some probability may be ``unresolved`` within the limits, and some rolls never end (``never_ends``). The mapping has the listed outcomes
    alone. A figure that the rest leaves open is an ``Interval``, and so are all probabilities of a distribution that was
    sampled.
    """

    __slots__ = ("__weakref__", "_answer", "_origin", "_places", "_table")
    #: numpy leaves the operators to this class.
    __array_ufunc__ = None

    _answer: _engine.Answer
    _origin: Origin
    # Probabilities are made when they are asked for: those of thousands of dice are long.
    _places: dict[Outcome, int] | None
    _table: dict[Outcome, Probability] | None

    def __init__(self, outcomes: Mapping[Outcome, Any] | Iterable[Outcome]) -> None:
        if isinstance(outcomes, Dist):
            self._set(outcomes._answer, outcomes._origin)
            return
        if isinstance(outcomes, Mapping):
            keys, weights = list(outcomes), _whole(list(outcomes.values()))
        else:
            if isinstance(outcomes, str):
                raise TypeError("a text is no list of outcomes: write [text] for a text that is certain")
            keys = list(outcomes)
            weights = [1] * len(keys)
        self._set(_answer_of(keys, weights), Origin())

    def _set(self, answer: _engine.Answer, origin: Origin) -> None:
        self._answer = answer
        self._origin = origin
        self._places = None
        self._table = None

    @classmethod
    def _of(cls, answer: _engine.Answer, origin: Origin | None = None) -> Dist:
        dist = cls.__new__(cls)
        dist._set(answer, origin or Origin())
        return dist

    # The mapping.

    def _outcomes(self) -> dict[Outcome, int]:
        if self._places is None:
            self._places = {outcome: place for place, outcome in enumerate(self._answer.outcomes())}
        return self._places

    def _listed(self) -> dict[Outcome, Probability]:
        if self._table is None:
            self._table = dict(zip(self._outcomes(), self._answer.probabilities(), strict=True))
        return self._table

    def __getitem__(self, outcome: Outcome) -> Probability:
        """The probability of a listed outcome; ``KeyError`` for another one (``exactly`` gives 0)."""
        place = self._outcomes()[outcome]
        return self._answer.probability(place) if self._table is None else self._table[outcome]

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self._outcomes())

    def __len__(self) -> int:
        return len(self._answer)

    def __contains__(self, outcome: object) -> bool:
        try:
            return outcome in self._outcomes()
        except TypeError:
            return False

    def keys(self) -> KeysView[Outcome]:
        """The listed outcomes, ascending; texts of a rule in the order of the rule, and others in alphabetical order."""
        return self._outcomes().keys()

    def values(self) -> ValuesView[Probability]:
        """The probabilities of the listed outcomes."""
        return self._listed().values()

    def items(self) -> ItemsView[Outcome, Probability]:
        """The listed outcomes with their probabilities."""
        return self._listed().items()

    def weights(self) -> dict[Outcome, int]:
        """The listed outcomes with their weights over one ``total``; of a sampled distribution the numbers of rolls.

        >>> Dist([1, 1, 2]).weights()
        {1: 2, 2: 1}
        """
        return dict(zip(self._outcomes(), self._answer.weights(), strict=True))

    @property
    def total(self) -> int:
        """The common denominator of all weights."""
        return self._answer.total

    def __eq__(self, other: object) -> bool:
        """Whether the same outcomes have the same probabilities, and the same is known of all else."""
        if not isinstance(other, Dist):
            if isinstance(other, dict):
                return self.is_exact and self._listed() == other
            return NotImplemented
        ours, theirs = self._answer, other._answer
        if ours is theirs:
            return True
        if ours.is_sampled != theirs.is_sampled or len(ours) != len(theirs):
            return False
        if ours.is_numeric and theirs.is_numeric:
            return ours.equals(theirs)
        return self._listed() == other._listed() and ours.masses() == theirs.masses()

    def __hash__(self) -> int:
        first = [(outcome, self[outcome]) for outcome, _ in zip(self, range(4), strict=False)]
        return hash((Dist, len(self), frozenset(first) if self._is_ordered else None))

    @property
    def _is_ordered(self) -> bool:
        """Whether the order of the outcomes does not depend on where they come from."""
        return not self._answer.labels()

    # What is known.

    @property
    def is_exact(self) -> bool:
        """Whether the mapping is the whole distribution: each outcome is listed, with its exact probability.

        It says nothing against the probabilities of a distribution that is not: each listed one of an endless explosion is exact, too.
        Only they do not add up to 1, because the outcomes above them are counted (``above``) and not listed.

        >>> from dicedist import d
        >>> endless = d(6).explode(6).solve()
        >>> endless.is_exact, endless.is_sampled, endless[13], endless.mean()
        (False, False, Fraction(1, 216), Fraction(21, 5))
        >>> sum(endless.values()) + endless.above[1]
        Fraction(1, 1)

        What is missing is in ``above``, ``below``, ``unresolved`` and ``never_ends``; ``is_sampled`` says whether the probabilities
        themselves are estimates.
        """
        return self._answer.is_complete

    @property
    def is_sampled(self) -> bool:
        """Whether the distribution counts random rolls."""
        return self._answer.is_sampled

    @property
    def sampling(self) -> Sampling | None:
        """How the distribution was sampled; ``None`` for an exact one."""
        fields = self._answer.sampling()
        return None if fields is None else Sampling(**fields)

    @property
    def above(self) -> tuple[int | Fraction, Fraction] | None:
        """The tail above the listed outcomes: its least possible outcome, and its probability."""
        return self._answer.above()

    @property
    def below(self) -> tuple[int | Fraction, Fraction] | None:
        """The tail below the listed outcomes: its greatest possible outcome, and its probability."""
        return self._answer.below()

    @property
    def tail(self) -> Fraction:
        """The probability in both tails."""
        tails = [tail for tail in (self.below, self.above) if tail is not None]
        return sum((chance for _, chance in tails), Fraction(0))

    @property
    def unresolved(self) -> Fraction:
        """The probability of results that were not followed to their end. They may be any outcome."""
        return self._answer.unresolved()

    @property
    def never_ends(self) -> Fraction:
        """The probability that a roll never ends."""
        return self._answer.never_ends()

    @property
    def kept(self) -> Fraction:
        """The probability that a roll is kept, for a rule that is given a condition; otherwise 1."""
        kept = self._answer.kept()
        return Fraction(1) if kept is None else kept

    @property
    def fields(self) -> tuple[str, ...] | None:
        """The names of the values of records; ``None`` for other outcomes."""
        fields = self._answer.fields()
        return None if fields is None else tuple(fields)

    # Questions.

    def mean(self) -> Moment:
        """The mean, given that the roll ends.

        >>> Dist([1, 2, 4]).mean()
        Fraction(7, 3)
        """
        return self._moment(self._answer.mean(), "mean")

    def variance(self) -> Moment:
        """The variance, given that the roll ends."""
        return self._moment(self._answer.variance(), "variance")

    def stdev(self) -> float:
        """The standard deviation, rounded. ``nan``, if the variance is not known exactly."""
        variance = self.variance()
        if isinstance(variance, Fraction):
            return _root(variance)
        return math.nan if isinstance(variance, Interval) else variance

    standard_deviation = stdev

    def skewness(self) -> float:
        """The skewness, given that the roll ends, rounded. ``nan``, if it is not known exactly, or if all rolls are alike.

        >>> Dist([0, 0, 0, 1]).skewness()
        1.1547005383792515
        """
        skewness = self._answer.skewness()
        if skewness is None:
            return math.nan
        sign, square = skewness
        return sign * _root(square)

    def excess_kurtosis(self) -> Moment:
        """The kurtosis less 3, which is that of a normal distribution, given that the roll ends.

        >>> Dist(range(1, 7)).excess_kurtosis()
        Fraction(-222, 175)
        """
        return self._moment(self._answer.excess_kurtosis(), "kurtosis")

    def _moment(self, moment: Moment | None, name: str) -> Moment:
        if moment is None:
            raise _wrong(f"there is no {name}: the outcomes are not numbers, or there are none")
        return moment

    def min(self) -> int | Fraction | None:
        """The least possible outcome; ``None`` if there is none, or if it is not known."""
        return self._answer.min()

    def max(self) -> int | Fraction | None:
        """The greatest possible outcome; ``None`` if there is none, or if it is not known."""
        return self._answer.max()

    def median(self) -> int | Fraction | None:
        """The least outcome with at least half of the probability at or below it; ``None`` if it is not certain."""
        return self.quantile(Fraction(1, 2))

    def quantile(self, probability: Fraction | float | str) -> int | Fraction | None:
        """The least outcome with at least this probability at or below it; ``None`` if it is not certain.

        >>> Dist(range(1, 21)).quantile(0.95)
        19
        """
        wanted = fraction(probability, "a probability")
        if not 0 < wanted <= 1:
            raise ValueError(f"a probability above 0 and at most 1 is needed here, and not {wanted}")
        return self._answer.quantile(wanted)

    def mode(self) -> list[Outcome]:
        """The most likely outcomes, ascending; none if it is not certain which they are.

        >>> Dist([1, 2, 2, 3, 3]).mode()
        [2, 3]
        """
        places = self._answer.modes()
        if places is None:
            return []
        outcomes = list(self)
        return [outcomes[place] for place in places]

    def exactly(self, outcome: Outcome) -> Probability:
        """The probability of an outcome, or of a tie with an independent roll; 0 if it is impossible.

        >>> Dist(range(1, 7)).exactly(7)
        Fraction(0, 1)
        """
        if isinstance(outcome, Dist):
            return self._tie(outcome)
        return self._answer.exactly(outcome)

    def at_least(self, bound: Number | Dist) -> Probability:
        """The probability of this number or a higher one.

        >>> Dist(range(1, 21)).at_least(15)
        Fraction(3, 10)
        """
        if isinstance(bound, Dist):
            versus = self.versus(bound)
            return _certain(1) - versus.b_wins if self._ends(bound) else versus.a_wins + versus.tie
        return self._answer.at_least(_number(bound))

    def at_most(self, bound: Number | Dist) -> Probability:
        """The probability of this number or a lower one."""
        if isinstance(bound, Dist):
            return bound.at_least(self)
        return self._answer.at_most(_number(bound))

    def more_than(self, bound: Number | Dist) -> Probability:
        """The probability of a number above this one."""
        if isinstance(bound, Dist):
            return self.versus(bound).a_wins
        number = fraction(bound)
        return self.at_least(self._above(number))

    def less_than(self, bound: Number | Dist) -> Probability:
        """The probability of a number below this one."""
        if isinstance(bound, Dist):
            return self.versus(bound).b_wins
        return self.at_most(-self._above(-fraction(bound)))

    def _above(self, bound: Fraction) -> Fraction:
        """The least number above a bound that can be an outcome."""
        parts = self._answer.parts
        return Fraction(math.floor(bound * parts) + 1, parts)

    def between(self, low: Number, high: Number) -> Probability:
        """The probability of a number from the first to the last.

        >>> Dist(range(1, 21)).between(5, 8)
        Fraction(1, 5)
        """
        if fraction(low) > fraction(high):
            return Fraction(0)
        if self.is_exact:
            within = self.at_least(low) + self.at_most(high) - 1
            return within
        inside = sum(
            (chance for outcome, chance in self.items() if low <= outcome <= high), Fraction(0)
        )
        if not isinstance(inside, Interval) and not self.unresolved and self._lists(low, high):
            return inside
        upper = min(_high(self.at_least(low)), _high(self.at_most(high)))
        lower = max(_low(self.at_least(low)) + _low(self.at_most(high)) - 1, Fraction(0))
        if not self.is_sampled:
            lower = max(lower, _low(inside))
        return Interval(lower, upper) if lower < upper else Fraction(lower)

    def _lists(self, low: Number, high: Number) -> bool:
        """Whether all outcomes of a range are listed."""
        below, above = self.below, self.above
        return (below is None or below[0] < low) and (above is None or high < above[0])

    def _ends(self, other: Dist) -> bool:
        return not self.never_ends and not other.never_ends

    def _tie(self, other: Dist) -> Probability:
        if self._answer.is_numeric and other._answer.is_numeric:
            return self.versus(other).tie
        overlap = self._answer.overlap(other._answer)
        if overlap is not None:
            return overlap[0]
        self._must_be_exact("ties")
        other._must_be_exact("ties")
        ours, theirs = self._listed(), other._listed()
        return sum((ours[key] * theirs[key] for key in ours if key in theirs), Fraction(0))

    def versus(self, other: Dist | Number) -> Versus:
        """How this distribution compares with another, as two independent rolls of numbers.

        >>> duel = Dist(range(1, 9)).versus(Dist(range(1, 7)))
        >>> duel.a_wins, duel.tie, duel.dominance
        (Fraction(9, 16), Fraction(1, 8), 'a')
        """
        fields = self._answer.versus(_dist(other)._answer)
        if fields is None:
            raise _wrong("only numbers of distributions that are not sampled have an order")
        return Versus(**fields)

    # Other distributions.

    def map(self, function: Callable[[Outcome], Outcome]) -> Dist:
        """The distribution of a function of the outcome. Where the function gives a ``Dist``, that is rolled.

        >>> Dist(range(1, 21)).map(lambda roll: "hit" if roll >= 15 else "miss")
        Dist({'hit': 3, 'miss': 7})
        """
        self._must_be_exact("images")
        answer = self._answer
        outcomes = [function(outcome) for outcome in answer.outcomes()]
        return _mixed(outcomes, answer.weights(), answer.total, answer.never_ends_weight)

    def combine(self, other: Dist | Number, function: Callable[[Outcome, Outcome], Outcome]) -> Dist:
        """The distribution of a function of two independent outcomes.

        Takes time in proportion to the product of the numbers of outcomes; sums are faster with ``+``.

        >>> d6 = Dist(range(1, 7))
        >>> d6.combine(d6, max)[6]
        Fraction(11, 36)
        """
        other = _dist(other)
        self._must_be_exact("images")
        other._must_be_exact("images")
        theirs = list(zip(other._answer.outcomes(), other._answer.weights(), strict=True))
        outcomes, weights = [], []
        for ours, weight in zip(self._answer.outcomes(), self._answer.weights(), strict=True):
            for outcome, by in theirs:
                outcomes.append(function(ours, outcome))
                weights.append(weight * by)
        ends = [dist.total - dist._answer.never_ends_weight for dist in (self, other)]
        total = self.total * other.total
        return _mixed(outcomes, weights, total, total - ends[0] * ends[1])

    def given(self, condition: Callable[[Outcome], object]) -> Dist:
        """The distribution given that a condition holds.

        >>> Dist(range(1, 7)).given(lambda roll: roll >= 5)
        Dist({5: 1, 6: 1})
        """
        if not self.is_exact:
            raise _wrong(
                "what is not listed may fulfil the condition", "write the condition into the rule: `… given …`"
            )
        pairs = zip(self._answer.outcomes(), self._answer.weights(), strict=True)
        kept = [(outcome, weight) for outcome, weight in pairs if condition(outcome)]
        if not kept:
            raise _wrong("the condition never holds", kind="domain")
        return Dist._of(
            _answer_of([outcome for outcome, _ in kept], [weight for _, weight in kept], order=self._order)
        )

    @property
    def _order(self) -> list[str] | None:
        return self._answer.labels() or None

    def part(self, name: str) -> Dist:
        """The distribution of one value of a record."""
        if name not in (self.fields or ()):
            raise KeyError(name)
        return self.map(lambda record: record[name])

    def _must_be_exact(self, what: str) -> None:
        if self.is_sampled:
            raise _wrong(
                f"a sampled distribution has no exact {what}", "solve the whole rule, or sample it as one"
            )

    def times(self, rolls: int) -> Dist:
        """The sum of so many independent rolls. Fast for thousands.

        >>> Dist(range(1, 7)).times(1000).mean()
        Fraction(3500, 1)
        """
        rolls = _index(rolls)
        if not 0 <= rolls < 1 << 32:
            raise ValueError("the number of rolls is from 0 to 2**32 - 1")
        return _within(self._answer.power, rolls)

    def _combined(self, operator: str, other: object, is_left: bool = True) -> Any:
        if not isinstance(other, Dist):
            if isinstance(other, (str, float, Mapping, tuple)) or not _is_number(other):
                return NotImplemented
            other = Dist([other])
        ours, theirs = (self, other) if is_left else (other, self)
        return _within(ours._answer.combined, operator, theirs._answer)

    def __add__(self, other: Dist | Number) -> Dist:
        return cast(Dist, self._combined("+", other))

    def __radd__(self, other: Number) -> Dist:
        return cast(Dist, self._combined("+", other, is_left=False))

    def __sub__(self, other: Dist | Number) -> Dist:
        return cast(Dist, self._combined("-", other))

    def __rsub__(self, other: Number) -> Dist:
        return cast(Dist, self._combined("-", other, is_left=False))

    def __mul__(self, other: Dist | Number) -> Dist:
        return cast(Dist, self._combined("*", other))

    def __rmul__(self, other: Number) -> Dist:
        return cast(Dist, self._combined("*", other, is_left=False))

    def __floordiv__(self, other: Dist | Number) -> Dist:
        return cast(Dist, self._combined("//", other))

    def __rfloordiv__(self, other: Number) -> Dist:
        return cast(Dist, self._combined("//", other, is_left=False))

    def __mod__(self, other: Dist | Number) -> Dist:
        return cast(Dist, self._combined("%", other))

    def __rmod__(self, other: Number) -> Dist:
        return cast(Dist, self._combined("%", other, is_left=False))

    def __truediv__(self, other: Number) -> Dist:
        """The outcomes divided by a number, as fractions."""
        if isinstance(other, Dist):
            return self.combine(other, Fraction)
        if isinstance(other, str):
            return NotImplemented
        return cast(Dist, self._combined("*", 1 / fraction(other, "a divisor")))

    def __neg__(self) -> Dist:
        return cast(Dist, self._combined("*", -1))

    def __pos__(self) -> Dist:
        return self

    def __abs__(self) -> Dist:
        return self.map(abs)

    def __matmul__(self, other: Dist) -> Dist:
        """As many rolls of the right side as the left side shows, added up."""
        if not isinstance(other, Dist):
            return NotImplemented
        return self.map(lambda rolls: other.times(rolls))

    def __rmatmul__(self, rolls: int) -> Dist:
        """The sum of so many independent rolls."""
        if not _is_number(rolls):
            return NotImplemented
        return self.times(rolls)

    def highest_of(self, other: Dist | Number) -> Dist:
        """The higher of two independent rolls."""
        return cast(Dist, self._combined("max", _dist(other)))

    def lowest_of(self, other: Dist | Number) -> Dist:
        """The lower of two independent rolls."""
        return cast(Dist, self._combined("min", _dist(other)))

    def __bool__(self) -> bool:
        raise TypeError("a distribution is neither true nor false: ask for a probability, or for len(dist)")

    def __lt__(self, other: object) -> bool:
        raise TypeError(
            "distributions have no order: `dist.at_least(3)` and `a.less_than(b)` are probabilities, and `a.versus(b)` has all of them"
        )

    __le__ = __gt__ = __ge__ = __lt__

    def roll(self, count: int | None = None, seed: int | None = None) -> Any:
        """A random outcome, or a list of so many. The same seed gives the same outcomes.

        >>> Dist(range(1, 7)).roll(5, seed=1)
        [2, 5, 1, 3, 1]
        """
        if not self.is_exact or not len(self):
            raise _wrong("only what is listed can be rolled", "roll the rule: `rule.roll()`")
        source = random.Random(seed) if seed is not None else random.SystemRandom()
        sums = list(accumulate(self._answer.weights()))
        outcomes = list(self)
        rolls = range(1 if count is None else count)
        rolled = [outcomes[bisect.bisect_right(sums, source.randrange(sums[-1]))] for _ in rolls]
        return rolled[0] if count is None else rolled

    # Text and pictures.

    def named(self, name: str) -> Dist:
        """The same distribution with a name for tables and pictures."""
        return Dist._of(self._answer, Origin(name))

    @property
    def name(self) -> str:
        """The name that tables and pictures show: that of the rule, or its text."""
        return self._origin.name

    def _entry(self, rule: int = 0, name: str | None = None) -> _report.Entry:
        title = name if name is not None else self.name
        return _report.Entry(rule, title, title, self._origin.dialect, {}, self._answer)

    def _written(self, format: str, options: _report.Options | None = None) -> str:
        return _report.write(format, [self._entry()], options)

    def __str__(self) -> str:
        return self._written("table").strip()

    def to_table(
        self,
        *,
        digits: int = 4,
        fractions: bool = False,
        all: bool = False,
        width: int = 80,
        view: _report.View = "exactly",
    ) -> str:
        """The table that the command prints: a row for each outcome, and the figures of a summary."""
        return self._written("table", _report.Options(digits, fractions, all, width, view))

    def to_markdown(
        self, *, digits: int = 4, fractions: bool = False, all: bool = False, view: _report.View = "exactly"
    ) -> str:
        """The table in Markdown."""
        return self._written("markdown", _report.Options(digits, fractions, all, view=view))

    def to_csv(self) -> str:
        """A row for each outcome, with its exact probability."""
        return self._written("csv")

    def to_json(self) -> str:
        """Everything that is known, as the command writes it with ``--format json``."""
        return self._written("json")

    def to_svg(self, *, title: str | None = None, view: _report.View = "exactly") -> str:
        """A picture."""
        return self._written("svg", _report.Options(title=title, view=view))

    def to_png(self, *, title: str | None = None, view: _report.View = "exactly", scale: int = 2) -> bytes:
        """A picture as a bitmap, ``scale`` times as wide and as high as that of ``to_svg``."""
        return _report.png([self._entry()], _report.Options(title=title, view=view), scale=scale)

    def to_pandas(self) -> pandas.Series[float]:
        """A series of floats, indexed by outcome. Needs pandas."""
        import pandas

        return pandas.Series(
            [_float(chance) for chance in self.values()],
            index=_peers.index(self),
            name=self.name or "probability",
            dtype=float,
        )

    def _rest(self) -> list[tuple[str, Fraction]]:
        """What is not listed, with its probability."""
        rest = []
        if self.below is not None:
            rest.append((f"{_html.written(self.below[0])} or less (not listed)", self.below[1]))
        if self.above is not None:
            rest.append((f"{_html.written(self.above[0])} or more (not listed)", self.above[1]))
        if self.unresolved:
            rest.append(("unresolved", self.unresolved))
        if self.never_ends:
            rest.append(("never ends", self.never_ends))
        return rest

    def __repr__(self) -> str:
        if any(map(_html.is_long, self)):
            return f"<Dist {len(self)} outcomes, some of them long>"
        if self.is_exact and 0 < len(self) <= _FEW and not self.fields and self.total < 10**12:
            return f"Dist({self.weights()!r})"
        outcomes = list(self)
        parts = [f"{len(self)} outcome{'s' * (len(self) != 1)}"]
        if outcomes:
            parts[0] += f" from {outcomes[0]!r} to {outcomes[-1]!r}"
        if self._answer.is_numeric and outcomes:
            mean = self._answer.mean()
            parts += [] if mean is None or mean == _ANYTHING else [f"mean {_html.figure(mean)}"]
        sampling = self.sampling
        if sampling is not None:
            parts.append(f"sampled by {sampling.samples} rolls")
        else:
            parts += [f"{name}: {float(chance):.3g}" for name, chance in self._rest()]
        return f"<Dist {', '.join(parts)}>"

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_png_(self) -> bytes:
        return self.to_png()

    def _repr_html_(self) -> str:
        rows: list[tuple[str, str, str]] = []
        shown = [(outcome, self[outcome]) for outcome, _ in zip(self, range(_html.MOST_ROWS), strict=False)]
        most = max((_float(chance) for _, chance in shown), default=1.0) or 1.0
        for outcome, chance in shown:
            rows.append((_html.outcome(outcome), _html.percent(chance), _html.bar(_float(chance) / most)))
        if len(self) > len(shown):
            rows.append((f"… {len(self) - len(shown)} more", "", ""))
        if not self.is_sampled:
            rows += [(escape(name), _html.percent(chance), "") for name, chance in self._rest()]
        parts = [_html.table(("outcome", "probability", ""), rows, "rrl")]
        if self._answer.is_numeric:
            parts.append(_html.table(("", ""), self._figures(), "lr"))
        title = f"<div><strong>{escape(self.name)}</strong></div>" if self.name else ""
        sampling = self.sampling
        remark = "" if sampling is None else _html.note(
            f"estimated by {sampling.samples} random rolls; the bounds hold together with a confidence of {float(sampling.confidence):.6g}"
        )
        return title + remark + _html.beside(*parts, _html.picture(self.to_svg()))

    def _figures(self) -> list[tuple[str, str]]:
        mean = self._answer.mean()
        figures: list[tuple[str, object]] = [("mean", None if mean == _ANYTHING else mean)]
        if not self.is_sampled:
            deviation = self.stdev() if self._answer.variance() is not None else math.nan
            figures += [
                ("standard deviation", None if math.isnan(deviation) else f"{deviation:.4f}"),
                ("minimum", self.min()),
                ("median", self.median()),
                ("maximum", self.max()),
            ]
        return [(name, escape(_html.figure(value))) for name, value in figures if value is not None]

    # Pickles and copies.

    def __copy__(self) -> Dist:
        return self

    def __deepcopy__(self, memo: object) -> Dist:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        unlisted = self._answer.unlisted()
        if unlisted is None:
            raise TypeError("a sampled distribution cannot be pickled: pickle its rule and the seed")
        answer = self._answer
        fields = (answer.outcomes(), answer.weights(), answer.total, answer.labels() or None, unlisted)
        return _unpickled, (*fields, self._origin)

    # Other libraries.

    @classmethod
    def from_icepool(cls, die: Any) -> Dist:
        """The distribution of an ``icepool.Die``. A vector becomes a tuple."""
        return cls(_peers.from_icepool(die))

    def to_icepool(self) -> Any:
        """An ``icepool.Die``. Needs icepool, and an exact distribution."""
        return _peers.to_icepool(self)

    @classmethod
    def from_dyce(cls, histogram: Any) -> Dist:
        """The distribution of a ``dyce.H``."""
        return cls(_peers.from_dyce(histogram))

    def to_dyce(self) -> Any:
        """A ``dyce.H``. Needs dyce, and an exact distribution."""
        return _peers.to_dyce(self)


#: What stands for a number.
Number = Union[int, Fraction]


def _unpickled(
    outcomes: list[Outcome],
    weights: list[int],
    total: int,
    order: list[str] | None,
    unlisted: tuple[Any, ...],
    origin: Origin,
) -> Dist:
    answer = _engine.Answer.of(outcomes, weights, total, None, order)
    return Dist._of(answer.with_unlisted(*unlisted), origin)


def _answer_of(
    outcomes: list[Outcome],
    weights: list[int],
    total: int | None = None,
    never_ends: int | None = None,
    order: list[str] | None = None,
) -> _engine.Answer:
    """The answer with these outcomes, some of which may be distributions that are rolled."""
    if not any(isinstance(outcome, Dist) for outcome in outcomes):
        return _reduced(outcomes, weights, sum(weights) if total is None else total, never_ends or 0, order)
    return _mixed(outcomes, weights, sum(weights) if total is None else total, never_ends or 0)._answer


def _reduced(
    outcomes: list[Outcome],
    weights: list[int],
    total: int,
    never_ends: int,
    order: list[str] | None = None,
) -> _engine.Answer:
    """The answer with each outcome once, and weights in lowest terms."""
    if len({getattr(outcome, "_fields", ()) for outcome in outcomes}) > 1:
        raise TypeError("all records have the same names, and stand beside no other outcomes")
    merged: dict[Outcome, int] = {}
    for outcome, weight in zip(outcomes, weights, strict=True):
        if isinstance(outcome, (list, set)):
            raise TypeError(f"a {type(outcome).__name__} is no outcome: use a tuple")
        if hasattr(outcome, "solve"):
            raise TypeError("an expression or a rule is no outcome: its distribution is, by solve()")
        merged[outcome] = merged.get(outcome, 0) + weight
    outcomes, weights = list(merged), list(merged.values())
    divisor = math.gcd(total, never_ends, *weights)
    if divisor > 1:
        weights = [weight // divisor for weight in weights]
    divisor = max(divisor, 1)
    return _engine.Answer.of(outcomes, weights, total // divisor, never_ends // divisor, order)


def _mixed(outcomes: list[Outcome], weights: list[int], total: int, never_ends: int) -> Dist:
    """The distribution of weighted outcomes. An outcome that is a distribution is rolled."""
    rolled = [pair for pair in zip(outcomes, weights, strict=True) if isinstance(pair[0], Dist)]
    if not rolled:
        return Dist._of(_reduced(outcomes, weights, total, never_ends))
    if sum(weights) != total:
        raise _wrong("only what is listed can be rolled further", "write the whole rule as one")
    plain = [pair for pair in zip(outcomes, weights, strict=True) if not isinstance(pair[0], Dist)]
    parts = [(dist, weight) for dist, weight in rolled if weight]
    weight = sum(by for _, by in plain)
    if weight:
        certain = _engine.Answer.of([outcome for outcome, _ in plain], [by for _, by in plain])
        parts.append((Dist._of(certain), weight))
    if all(dist._answer.is_numeric for dist, _ in parts):
        mixed = [(dist._answer, by) for dist, by in parts]
        return _within(_engine.Answer.mixture, mixed)
    common = math.lcm(*(dist.total for dist, _ in parts))
    outcomes, weights = [], []
    for dist, by in parts:
        if not dist.is_exact:
            raise _wrong("only an exact distribution can be mixed with texts, lists and records")
        scale = by * (common // dist.total)
        outcomes += dist._answer.outcomes()
        weights += [scale * weight for weight in dist._answer.weights()]
    return Dist._of(_reduced(outcomes, weights, sum(weights), 0))


def _within(of: Callable[..., _engine.Answer], *arguments: Any) -> Dist:
    """What the engine makes of distributions, within the usual limits."""
    try:
        return Dist._of(of(*arguments, _limits.bounds()))
    except LimitError as error:
        help = f"an expression has limits of its own: `(10 @ die(dist)).solve({error.limit}=…)`"
        raise LimitError(error.kind, (Finding(error.message, help=help),), limit=error.limit) from None


def _whole(weights: list[Any]) -> list[int]:
    """Weights and probabilities as weights."""
    for weight in weights:
        if isinstance(weight, (float, Interval, str)) or not _is_number(weight):
            raise TypeError(f"a weight is an int or a Fraction, and not {type(weight).__name__}")
    fractions = [fraction(weight) for weight in weights]
    if any(weight < 0 for weight in fractions):
        raise _wrong("a weight is not negative", kind="domain")
    common = math.lcm(*(weight.denominator for weight in fractions))
    return [int(weight * common) for weight in fractions]


def _dist(value: Dist | Number) -> Dist:
    return value if isinstance(value, Dist) else Dist([value])


def _number(value: object) -> int | Fraction:
    """A number for a question."""
    return value if isinstance(value, (int, Fraction)) else fraction(value)


def _is_number(value: object) -> bool:
    return isinstance(value, Fraction) or hasattr(value, "__index__")


def _index(value: Any) -> int:
    try:
        return int(value.__index__())
    except AttributeError:
        raise TypeError(f"a whole number is needed here, and not {type(value).__name__}") from None


def _low(chance: Probability) -> Fraction:
    return Fraction(chance.low) if isinstance(chance, Interval) else chance


def _high(chance: Probability) -> Fraction:
    return Fraction(chance.high) if isinstance(chance, Interval) else chance


def _float(chance: Probability) -> float:
    return float(chance.middle if isinstance(chance, Interval) else chance)


def _certain(number: int) -> Fraction:
    return Fraction(number)


def _root(number: Fraction) -> float:
    """The square root, of fractions of any length."""
    try:
        return math.sqrt(number)
    except OverflowError:
        return math.sqrt(number.numerator // number.denominator) if number < 10**600 else math.inf


def _wrong(message: str, help: str | None = None, kind: str = "type") -> DicedistError:
    return DicedistError(kind, (Finding(message, help=help),))
