"""Rules built from values of Python, without text.

An expression is a ``Number``, a ``Pool`` of numbers, a ``Condition`` or a ``Record``. It describes a roll and is none: each place where
it stands rolls anew, so ``d(6) + d(6)`` has two dice, and so has ``x + x`` where ``x`` is ``d(6)``. What is rolled once and used often is
given to a function by ``share``.

>>> from dicedist import d
>>> ability = d(6).times(4).drop_lowest(1).sum()
>>> ability.solve().at_least(18)
Fraction(7, 432)
>>> doubled = d(6).share(lambda x: x + x)
>>> doubled.solve().exactly(7)
Fraction(0, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex, TypeVar, Union, cast

from . import _engine, _peers
from ._dist import Dist
from ._rule import Rule, rule
from .errors import DicedistError, Finding

if TYPE_CHECKING:
    from ._limits import Solving, Unpack

__all__ = [
    "Condition",
    "Expression",
    "Given",
    "Number",
    "Pool",
    "RecordOf",
    "Rounds",
    "d",
    "die",
    "faces",
    "pool",
    "record",
    "repeat_until",
    "share",
    "weighted",
]

#: What stands for a number: 1 or 0 for a condition, a die for a distribution.
Numeric = Union["Number", "Condition", Dist, SupportsIndex]
#: What stands for a pool.
Members = Union["Pool", "Number", Iterable[Numeric]]
#: What a function may give where any expression is wanted: a list is a pool, a dictionary a record, a ``bool`` a condition.
Anything = Union["Expression", Dist, SupportsIndex, Iterable[Numeric], Mapping[str, Numeric]]

#: What picks some rolls: a condition on the roll, a number, or several.
Rolls = Union[Callable[["Number"], Union["Condition", bool]], SupportsIndex, Iterable[SupportsIndex]]

_E = TypeVar("_E", bound="Expression")

#: A pool of more members is not made of a list.
_MOST_LISTED = 100_000

#: The distribution of more outcomes is not mapped.
_MOST_MAPPED = 100_000


class Expression:
    """An expression of dice: a ``Number``, a ``Pool``, a ``Condition``, a ``RecordOf``, or one of them that is ``Given`` a condition.

    Expressions are made by ``d``, ``faces``, ``pool`` and their like, and by the methods of other expressions. They never change.
    """

    __slots__ = ("__weakref__", "_expression")
    #: numpy leaves the operators to this class.
    __array_ufunc__ = None

    _expression: _engine.Expression

    def __init__(self) -> None:
        raise TypeError("expressions are made by d, die, faces, pool, record, weighted, and by other expressions")

    def rule(self) -> Rule:
        """The rule of this expression: what solves and rolls it."""
        return Rule._of(self._expression.rule())

    def solve(self, **solving: Unpack[Solving]) -> Dist:
        """The distribution, within limits (``Rule.solve`` has them).

        >>> d(20).solve().mean()
        Fraction(21, 2)
        """
        return self.rule().solve(**solving)

    def roll(self, count: int | None = None, seed: int | None = None) -> Any:
        """A random outcome, or a list of so many. The same seed gives the same outcomes."""
        return self.rule().roll(count, seed)

    def given(self, condition: Condition | bool) -> Given:
        """The same, given that a condition holds: all other rolls are left out. What both depend on is shared around them.

        >>> even = d(6).share(lambda x: x.given(x % 2 == 0))
        >>> even.solve()
        Dist({2: 1, 4: 1, 6: 1})
        """
        return cast(Given, _made(self._expression.given(_condition(condition)._expression)))

    def __repr__(self) -> str:
        try:
            text = self._expression.rule().canonical()
        except DicedistError as error:
            text = error.message
        text = text if len(text) <= 70 else f"{text[:69]}…"
        return f"<{type(self).__name__}: {text}>"

    def _repr_html_(self) -> str:
        return self.solve()._repr_html_()

    def __getattr__(self, name: str) -> NoReturn:
        message = f"{type(self).__name__!r} object has no attribute {name!r}"
        if not name.startswith("_") and hasattr(Dist, name):
            message += f": a distribution has it, `x.solve().{name}`"
        raise AttributeError(message)

    def __eq__(self, other: object) -> Any:
        raise TypeError("only numbers and conditions are compared by == and !=: pools have .compare(pool) and .contains(number)")

    __ne__ = __eq__
    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "an expression is neither true nor false before it is rolled: "
            "use & for and, | for or, ~ for not, `condition.then(yes, no)` for if, and `x.between(1, 3)` for 1 <= x <= 3"
        )

    def __iter__(self) -> NoReturn:
        raise TypeError("an expression has no members before it is rolled")

    def __len__(self) -> NoReturn:
        raise TypeError("an expression has no length before it is rolled: use pool.count()")

    def __contains__(self, item: object) -> NoReturn:
        raise TypeError("an expression has no members before it is rolled: use pool.contains(number)")

    def __reduce__(self) -> NoReturn:
        raise TypeError("an expression cannot be pickled: pickle its distribution, or the text of a rule")

    def __copy__(self: _E) -> _E:
        return self

    def __deepcopy__(self: _E, memo: object) -> _E:
        return self


class Number(Expression):
    """An expression of one number, such as a die, a sum, or a constant.

    ``+ - * // %`` are as for ``int`` (``//`` rounds down), and comparisons give a ``Condition``. ``n @ x`` is the sum of n rolls. A division by zero
    is an error of the rule, with its probability.

    >>> (d(8) + d(6) + 3).solve().mean()
    Fraction(11, 1)
    >>> (4 @ d(6)).solve().max()
    24
    >>> (d(20) + 5 >= 15).solve()[True]
    Fraction(11, 20)
    """

    __slots__ = ()
    __hash__ = None

    def times(self, count: Numeric) -> Pool:
        """So many rolls, each of its own.

        >>> d(6).times(3).sum().solve().at_least(16)
        Fraction(5, 108)
        """
        return _pool(self._binary("times", count))

    def highest(self, rolls: Numeric, keep: Numeric = 1) -> Number:
        """The highest of so many rolls; the sum of those that are kept.

        >>> d(6).highest(4, 3).solve().at_least(18)
        Fraction(7, 432)
        """
        return self.times(rolls).keep_highest(keep).sum()

    def lowest(self, rolls: Numeric, keep: Numeric = 1) -> Number:
        """The lowest of so many rolls; the sum of those that are kept."""
        return self.times(rolls).keep_lowest(keep).sum()

    def share(self, function: Callable[[Number], Anything]) -> Any:
        """What a function makes of a number that is rolled once, and then known.

        >>> d(6).share(lambda x: (x >= 4).then(x, d(6))).solve().mean()
        Fraction(17, 4)
        """
        return _made(self._expression.share(_any_of(function)))

    def map(self, function: Callable[[int], Numeric]) -> Number:
        """What a function makes of each outcome: a number, or an expression that is then rolled.

        The function is called once for each outcome, so the number must have finitely many and depend on nothing that is shared
        around it. ``share`` has no such bounds.

        >>> d(20).map(lambda roll: 2 @ d(6) if roll == 20 else d(6) if roll >= 11 else 0).solve().mean()
        Fraction(77, 40)
        """
        dist = self.solve()
        if not dist.is_exact:
            raise _wrong("only a number with finitely many outcomes can be mapped", "use share")
        if len(dist) > _MOST_MAPPED:
            raise _wrong(f"the number has more than {_MOST_MAPPED} outcomes", "use share")
        outcomes = list(dist)
        results = [_mapped(function(outcome)) for outcome in outcomes]
        if all(isinstance(result, int) for result in results):
            weights: dict[int, int] = {}
            for result, weight in zip(results, dist.weights().values(), strict=True):
                weights[cast(int, result)] = weights.get(cast(int, result), 0) + weight
            return _die_of(Dist(weights))
        return self.share(lambda roll: _chosen(roll, outcomes, [_number(result) for result in results]))  # type: ignore[no-any-return]

    def roll_while(self, condition: Callable[[Number], Condition | bool]) -> Pool:
        """The roll, and the next one as long as a condition on the last roll holds: all rolls.

        >>> d(2).roll_while(lambda coin: coin == 2).count().solve().exactly(3)
        Fraction(1, 8)
        """
        return _pool(self._expression.conditional("roll_while", _condition_of(condition)))

    def explode(self, condition: Rolls | None = None, *, most: int | None = None) -> Number:
        """An exploding die: it is rolled again and added as long as the last roll is the greatest possible one; or this number, one
        of these, or one that fulfils a condition. At most ``most`` times, if that is given.

        >>> d(6).explode().solve().mean()
        Fraction(21, 5)
        >>> d(6).explode([5, 6]).solve().mean()
        Fraction(21, 4)
        >>> d(6).explode(6, most=1).solve().max()
        12
        """
        if condition is None:
            condition = cast("int | None", self.solve().max())
            if condition is None:
                raise _wrong("the greatest possible roll is not known", "say which rolls explode, as in x.explode(6)")
        of = _condition_of(_is(condition))
        if most is None:
            return _numeric(self._expression.conditional("explode_if", of))
        if most < 0:
            raise ValueError("the number of explosions is not below 0")
        return _numeric(self._expression.explode_at_most(min(most, 1 << 32), of))

    def reroll(self, condition: Rolls, *, once: bool = False) -> Number:
        """The roll, made anew as long as it is this number, one of these, or one that fulfils a condition; or only ``once``.

        >>> d(6).reroll(lambda roll: roll <= 2, once=True).solve().exactly(1)
        Fraction(1, 18)
        """
        operator = "reroll_once_if" if once else "reroll_if"
        return _numeric(self._expression.conditional(operator, _condition_of(_is(condition))))

    def case(self, arms: Mapping[Any, Numeric], otherwise: Numeric) -> Number:
        """The value of the first arm that the number is in. An arm is a number, a ``range``, or a pair of the first and the last number.

        >>> reaction = (2 @ d(6)).case({range(2, 5): -1, (5, 9): 0}, 1)
        >>> reaction.solve()[1]
        Fraction(1, 6)
        """
        parts = [(*_arm(arm), _number(value)._expression) for arm, value in arms.items()]
        return _numeric(self._expression.case(parts, _number(otherwise)._expression))

    def between(self, low: Numeric, high: Numeric) -> Condition:
        """Whether the number is one from the first to the last."""
        return cast(Condition, self.share(lambda number: (number >= low) & (number <= high)))

    def at_least(self, bound: Numeric) -> Condition:
        """As ``>=``."""
        return self >= bound

    def at_most(self, bound: Numeric) -> Condition:
        """As ``<=``."""
        return self <= bound

    def more_than(self, bound: Numeric) -> Condition:
        """As ``>``."""
        return self > bound

    def less_than(self, bound: Numeric) -> Condition:
        """As ``<``."""
        return self < bound

    def equals(self, number: Numeric) -> Condition:
        """As ``==``."""
        return self == number

    def differs_from(self, number: Numeric) -> Condition:
        """As ``!=``."""
        return self != number

    def max(self, other: Numeric) -> Number:
        """The greater of two numbers."""
        return _numeric(self._binary("max", other))

    def min(self, other: Numeric) -> Number:
        """The lesser of two numbers."""
        return _numeric(self._binary("min", other))

    def _binary(self, operator: str, other: object) -> _engine.Expression:
        return self._expression.binary(operator, _number(other)._expression)

    def _operated(self, operator: str, other: object, is_left: bool = True) -> Any:
        if isinstance(other, (Pool, RecordOf, Given)) or not _is_numeric(other):
            return NotImplemented
        ours, theirs = self._expression, _number(other)._expression
        left, right = (ours, theirs) if is_left else (theirs, ours)
        return _made(left.binary(operator, right))

    def __add__(self, other: Numeric) -> Number:
        return cast(Number, self._operated("+", other))

    def __radd__(self, other: Numeric) -> Number:
        return cast(Number, self._operated("+", other, is_left=False))

    def __sub__(self, other: Numeric) -> Number:
        return cast(Number, self._operated("-", other))

    def __rsub__(self, other: Numeric) -> Number:
        return cast(Number, self._operated("-", other, is_left=False))

    def __mul__(self, other: Numeric) -> Number:
        return cast(Number, self._operated("*", other))

    def __rmul__(self, other: Numeric) -> Number:
        return cast(Number, self._operated("*", other, is_left=False))

    def __floordiv__(self, other: Numeric) -> Number:
        return cast(Number, self._operated("//", other))

    def __rfloordiv__(self, other: Numeric) -> Number:
        return cast(Number, self._operated("//", other, is_left=False))

    def __mod__(self, other: Numeric) -> Number:
        return cast(Number, self._operated("%", other))

    def __rmod__(self, other: Numeric) -> Number:
        return cast(Number, self._operated("%", other, is_left=False))

    def __truediv__(self, other: object) -> NoReturn:
        raise TypeError("numbers of dice are whole: // rounds down, and `x.solve() / 2` has fractions")

    __rtruediv__ = __truediv__

    def __matmul__(self, other: Numeric) -> Number:
        if not _is_numeric(other):
            return NotImplemented
        return _number(other).times(self).sum()

    def __rmatmul__(self, count: Numeric) -> Number:
        if not _is_numeric(count):
            return NotImplemented
        return self.times(count).sum()

    def __neg__(self) -> Number:
        return _numeric(self._expression.unary("negate"))

    def __pos__(self) -> Number:
        return self

    def __abs__(self) -> Number:
        return _numeric(self._expression.unary("abs"))

    # An answer of NotImplemented would make Python compare identities.

    def __eq__(self, other: Numeric) -> Condition:  # type: ignore[override]
        return cast(Condition, _made(self._binary("==", other)))

    def __ne__(self, other: Numeric) -> Condition:  # type: ignore[override]
        return cast(Condition, _made(self._binary("!=", other)))

    def __ge__(self, other: Numeric) -> Condition:
        return cast(Condition, self._operated(">=", other))

    def __le__(self, other: Numeric) -> Condition:
        return cast(Condition, self._operated("<=", other))

    def __gt__(self, other: Numeric) -> Condition:
        return cast(Condition, self._operated(">", other))

    def __lt__(self, other: Numeric) -> Condition:
        return cast(Condition, self._operated("<", other))


class Condition(Expression):
    """An expression that holds or does not. Its outcomes are ``True`` and ``False``; as a number it is 1 or 0.

    ``&``, ``|`` and ``~`` are and, or and not. ``n @ condition`` is how often it holds in n rolls.

    >>> hit = d(20).share(lambda roll: (roll == 20) | ((roll + 5 >= 17) & (roll > 1)))
    >>> hit.solve()[True]
    Fraction(9, 20)
    >>> (8 @ (d(6) >= 5)).solve().at_least(3)
    Fraction(1163, 2187)
    """

    __slots__ = ()
    __hash__ = None

    def then(self, yes: Anything, no: Anything) -> Any:
        """One expression where the condition holds, and another where it does not. Only one of them is rolled.

        >>> (d(20) >= 11).then(d(8) + 3, 0).solve().mean()
        Fraction(15, 4)
        """
        return _made(_branches(self._expression, _anything(yes), _anything(no)))

    def number(self) -> Number:
        """1 where the condition holds, else 0."""
        return _numeric(self._expression.unary("number"))

    def times(self, count: Numeric) -> Pool:
        """So many rolls, each of which is 1 or 0."""
        return self.number().times(count)

    def __and__(self, other: Condition | bool) -> Condition:
        return self._connected("&", other)

    def __rand__(self, other: Condition | bool) -> Condition:
        return _condition(other)._connected("&", self)

    def __or__(self, other: Condition | bool) -> Condition:
        return self._connected("|", other)

    def __ror__(self, other: Condition | bool) -> Condition:
        return _condition(other)._connected("|", self)

    def __xor__(self, other: Condition | bool) -> Condition:
        return self.number() != _condition(other).number()

    __rxor__ = __xor__

    def __invert__(self) -> Condition:
        return cast(Condition, _made(self._expression.unary("not")))

    def _connected(self, operator: str, other: object) -> Condition:
        if not isinstance(other, (Condition, bool)):
            raise TypeError(
                f"{operator} connects conditions, and {type(other).__name__} is none: put comparisons in brackets, as in (x > 1) & (x < 5)"
            )
        return cast(Condition, _made(self._expression.binary(operator, _condition(other)._expression)))

    def __add__(self, other: Numeric) -> Number:
        return self.number() + other

    __radd__ = __add__

    def __sub__(self, other: Numeric) -> Number:
        return self.number() - other

    def __rsub__(self, other: Numeric) -> Number:
        return _number(other) - self.number()

    def __mul__(self, other: Numeric) -> Number:
        return self.number() * other

    __rmul__ = __mul__

    def __rmatmul__(self, count: Numeric) -> Number:
        return self.number().times(count).sum()

    def __eq__(self, other: Numeric) -> Condition:  # type: ignore[override]
        return self.number() == other

    def __ne__(self, other: Numeric) -> Condition:  # type: ignore[override]
        return self.number() != other


class Pool(Expression):
    """An expression of a list of numbers: dice that were rolled together, or a deck of cards.

    The outcomes are tuples in ascending order, because few questions are about the order of dice; ``solve(ordered=True)`` has
    them in the order of the rule.

    >>> pool([d(6), d(6), d(8), d(10)]).keep_highest(2).sum().solve().max()
    18
    """

    __slots__ = ()

    def keep_highest(self, count: Numeric = 1) -> Pool:
        """The greatest ``count`` members; all, if there are fewer."""
        return self._selected("keep_highest", count)

    def keep_lowest(self, count: Numeric = 1) -> Pool:
        """The least ``count`` members; all, if there are fewer."""
        return self._selected("keep_lowest", count)

    def drop_highest(self, count: Numeric = 1) -> Pool:
        """All but the greatest ``count`` members."""
        return self._selected("drop_highest", count)

    def drop_lowest(self, count: Numeric = 1) -> Pool:
        """All but the least ``count`` members."""
        return self._selected("drop_lowest", count)

    def first(self, count: Numeric = 1) -> Pool:
        """The first ``count`` members; all, if there are fewer."""
        return self._selected("first", count)

    def last(self, count: Numeric = 1) -> Pool:
        """The last ``count`` members; all, if there are fewer."""
        return self._selected("last", count)

    def drop_first(self, count: Numeric = 1) -> Pool:
        """All but the first ``count`` members."""
        return self._selected("drop_first", count)

    def drop_last(self, count: Numeric = 1) -> Pool:
        """All but the last ``count`` members."""
        return self._selected("drop_last", count)

    def draw(self, count: Numeric) -> Pool:
        """``count`` members drawn at random without replacement; all, if there are fewer.

        >>> hand = pool(range(1, 53)).draw(5)
        >>> hand.count_if(lambda card: card <= 4).solve().exactly(4)
        Fraction(1, 54145)
        """
        return self._selected("draw", count)

    def times(self, count: Numeric) -> Pool:
        """The pool, rolled so many times; all members together."""
        return self._selected("times", count)

    def keep_if(self, condition: Callable[[Number], Condition | bool]) -> Pool:
        """The members for which a condition holds."""
        return _pool(self._expression.conditional("keep_if", _condition_of(condition)))

    def count_if(self, condition: Callable[[Number], Condition | bool]) -> Number:
        """The number of members for which a condition holds.

        >>> d(6).times(5).count_if(lambda die: die >= 5).solve().mean()
        Fraction(5, 3)
        """
        return _numeric(self._expression.conditional("count_if", _condition_of(condition)))

    def without(self, taken: Members) -> Pool:
        """The pool without the members of another, one for one, as far as it has them."""
        return _pool(self._expression.binary("without", _members(taken)._expression))

    def chain(self, other: Members) -> Pool:
        """The members of both pools, those of the other last. ``+`` is the same."""
        return _pool(self._expression.binary("chain", _members(other)._expression))

    def __add__(self, other: Members) -> Pool:
        if isinstance(other, (Dist, int)):
            raise TypeError("a pool is no number: use pool.sum() + number, or pool + [number] for one more member")
        return self.chain(other)

    def distinct(self) -> Pool:
        """Each value once."""
        return _pool(self._expression.unary("distinct"))

    def sorted(self) -> Pool:
        """The members in ascending order."""
        return _pool(self._expression.unary("sorted"))

    def reversed(self) -> Pool:
        """The members in the opposite order."""
        return _pool(self._expression.unary("reversed"))

    def shuffled(self) -> Pool:
        """The members in a random order."""
        return _pool(self._expression.unary("shuffled"))

    def sum(self) -> Number:
        """The sum of all members; of none 0."""
        return _numeric(self._expression.unary("sum"))

    def product(self) -> Number:
        """The product of all members; of none 1."""
        return _numeric(self._expression.unary("product"))

    def count(self) -> Number:
        """The number of members."""
        return _numeric(self._expression.unary("count"))

    def highest(self) -> Number:
        """The greatest member. An error of the rule, if there is none."""
        return _numeric(self._expression.unary("highest"))

    def lowest(self) -> Number:
        """The least member. An error of the rule, if there is none."""
        return _numeric(self._expression.unary("lowest"))

    def ranked(self, rank: Numeric) -> Number:
        """The ``rank``-th greatest member, where the greatest has the rank 1. An error of the rule, if there are fewer members.

        >>> d(20).times(3).ranked(2).solve().mean()
        Fraction(21, 2)
        """
        return _numeric(self._expression.binary("ranked", _number(rank)._expression))

    def only(self) -> Number:
        """The only member. An error of the rule, if there is none, or if there are several."""
        return _numeric(self._expression.unary("only"))

    def any(self) -> Condition:
        """Whether the pool has a member."""
        return cast(Condition, _made(self._expression.unary("any")))

    def contains(self, number: Numeric) -> Condition:
        """Whether some member is this number."""
        return cast(Condition, _made(self._expression.binary("contains", _number(number)._expression)))

    def largest_count(self) -> Number:
        """How many members the value has that comes most often.

        >>> d(6).times(5).largest_count().solve().at_least(3)
        Fraction(23, 108)
        """
        return cast(
            Number,
            self.share(
                lambda pool: (pool.distinct().map(lambda face: pool.count_if(lambda die: die == face)) + [0]).highest()
            ),
        )

    def compare(self, other: Members) -> Number:
        """The order of two pools by their greatest members, then by their second greatest, and so on: -1, 0 or 1."""
        return _numeric(self._expression.binary("compare", _members(other)._expression))

    def map(self, function: Callable[[Number], Numeric]) -> Pool:
        """What a function makes of each member. The member that it is given is known, so it may stand at several places.

        >>> d(10).times(3).map(lambda die: die.case({1: -1, (2, 7): 0}, 1)).sum().solve().min()
        -3
        """
        return _pool(self._expression.functional("map", _number_of(function)))

    def flat_map(self, function: Callable[[Number], Members]) -> Pool:
        """The lists that a function makes of each member, one after the other."""
        return _pool(self._expression.functional("flat_map", _members_of(function)))

    def successors(self, function: Callable[[Pool], Members]) -> Pool:
        """The pool, then what a function makes of it, then what it makes of that, until a list is empty: all members together.

        >>> tens = lambda last: d(10).times(last.count_if(lambda die: die == 10))
        >>> d(10).times(2).successors(tens).count_if(lambda die: die >= 8).solve().mean()
        Fraction(2, 3)
        """
        return _pool(self._expression.functional("successors", _members_of(function)))

    def fold(self, first: Numeric, function: Callable[[Number, Number], Numeric]) -> Number:
        """A number that is changed by each member in turn: the function is given the number so far, and a member.

        >>> run = d(6).times(5).sorted().fold(0, lambda run, die: (die == run + 1).then(die, run))
        >>> run.solve().exactly(5)
        Fraction(5, 324)
        """
        return _numeric(self._expression.fold(_number(first)._expression, _number_of(function)))

    def best(self, function: Callable[[Number], Numeric]) -> Number:
        """The number that a function makes of that member for which its mean is greatest, given all that was rolled before.

        Nested choices are an optimal strategy.

        >>> twice = d(6).share(lambda x: pool([0, 1]).best(lambda again: (again == 1).then(d(6), x)))
        >>> twice.solve().mean()
        Fraction(17, 4)
        """
        return _numeric(self._expression.functional("best", _number_of(function)))

    def best_part(self, function: Callable[[Pool], Numeric]) -> Number:
        """As ``best``, with a choice between all parts of the pool.

        >>> keep = lambda kept: kept.sum() + (2 - kept.count()) @ d(6)
        >>> d(6).times(2).best_part(keep).solve().at_least(9)
        Fraction(13, 24)
        """
        return _numeric(self._expression.functional("best_part", _number_of(function)))

    def share(self, function: Callable[[Pool], Anything]) -> Any:
        """What a function makes of a pool that is rolled once, and then known.

        >>> both = d(10).times(7).share(lambda pool: record(
        ...     hits=pool.count_if(lambda die: die >= 8),
        ...     ones=pool.count_if(lambda die: die == 1),
        ... ))
        >>> both.solve()[0, 7]
        Fraction(1, 10000000)
        """
        return _made(self._expression.share(_any_of(function)))

    def _selected(self, operator: str, count: Numeric) -> Pool:
        return _pool(self._expression.binary(operator, _number(count)._expression))


class RecordOf(Expression):
    """Several numbers of one roll, each with a name; ``record`` makes it. Its outcomes are of the class ``Record``."""

    __slots__ = ()


class Given(Expression):
    """An expression whose distribution is the one given that a condition holds. It is the end of a rule, so it has no operators."""

    __slots__ = ()


class Rounds:
    """The rounds of a loop; ``repeat_until`` makes it."""

    __slots__ = ("_rounds",)

    _rounds: _engine.Rounds

    def __init__(self) -> None:
        raise TypeError("rounds are made by repeat_until")

    def count(self) -> Number:
        """How many rounds there are."""
        return _numeric(self._rounds.count())

    def then(self, function: Callable[..., Anything]) -> Any:
        """What a function makes of the numbers of the last state."""
        return _made(self._rounds.then(_any_of(function)))


def d(sides: Numeric) -> Number:
    """A die with faces from 1 to ``sides``. The number of sides may be rolled; less than 1 is an error of the rule.

    >>> d(d(6)).solve().mean()
    Fraction(9, 4)
    """
    return _numeric(_engine.Expression.die(_number(sides)._expression))


def die(faces: Any) -> Number:
    """A die with these faces: a list of equally likely ones, a mapping from faces to weights, a ``Dist``, or the object of another
    library (``icepool.Die``, ``dyce.H``).

    >>> die([0, 0, 1, 1, 1, 2]).times(3).sum().solve().at_least(3)
    Fraction(53, 108)
    >>> die({6: 2, 1: 1}).solve()
    Dist({1: 1, 6: 2})
    """
    if isinstance(faces, Expression):
        return _number(faces)
    if isinstance(faces, (int, str)):
        raise TypeError("a die has a list of faces: d(6) has the faces from 1 to 6")
    if not isinstance(faces, Dist) and hasattr(faces, "quantity"):
        faces = _peers.from_icepool(faces)
    dist = faces if isinstance(faces, Dist) else Dist(faces)
    return _die_of(dist)


def faces(faces: Iterable[SupportsIndex]) -> Number:
    """A die with these faces, each equally likely. A face that comes twice is twice as likely.

    >>> faces([-1, 0, 1]).times(4).sum().solve().exactly(4)
    Fraction(1, 81)
    """
    return _die_of(Dist(faces))


def weighted(faces: Mapping[Any, Any]) -> Number:
    """A die with these faces and weights.

    >>> weighted({6: 2, 1: 1}).solve().exactly(6)
    Fraction(2, 3)
    """
    return _die_of(Dist(faces))


def pool(members: Members) -> Pool:
    """The pool of these numbers, in order. ``pool(range(1, 53))`` is a deck of cards.

    >>> pool([d(6), d(8), d(10)]).keep_highest(2).sum().solve().mean()
    Fraction(355, 32)
    """
    return _members(members)


def record(parts: Mapping[str, Numeric] | None = None, /, **more: Numeric) -> RecordOf:
    """The record of these numbers. What they have in common is shared around it.

    >>> d(6).share(lambda x: record(once=x, twice=2 * x)).solve()[3, 6]
    Fraction(1, 6)
    """
    named = {**(parts or {}), **more}
    if not named:
        raise ValueError("a record has a value")
    members = [(name, _number(number)._expression) for name, number in named.items()]
    return cast(RecordOf, _made(_engine.Expression.record(members)))


def share(function: Callable[..., Anything], *rolls: Members) -> Any:
    """What a function makes of several rolls, each of which is rolled once, and then known. As ``share`` of one roll in another.

    >>> share(lambda attack, defence: attack > defence, d(8), d(6)).solve()[True]
    Fraction(9, 16)
    >>> risk = lambda attack, defence: sum(attack.ranked(rank) > defence.ranked(rank) for rank in (1, 2))
    >>> share(risk, d(6).times(3), d(6).times(2)).solve()[2]
    Fraction(1445, 3888)
    """
    if not rolls:
        return _anything(function())
    first, *others = rolls
    of = _number(first) if _is_numeric(first) else _members(first)
    return of.share(lambda known: share(lambda *more: function(known, *more), *others))


def repeat_until(
    first: Iterable[Numeric],
    until: Callable[..., Condition | bool],
    round: Callable[..., Members],
) -> Rounds:
    """Changes a state by one round after the other until a condition on it holds. The condition is asked before each round.

    The state is a list of numbers; both functions are called with each of them. The new state that a round makes is evaluated as
    a whole: all its numbers see the state before. What they have in common is shared around a list.

    >>> fight = repeat_until(
    ...     [10, 8],
    ...     until=lambda hero, orc: (hero <= 0) | (orc <= 0),
    ...     round=lambda hero, orc: [hero - d(6), orc - d(8)],
    ... )
    >>> float(fight.then(lambda hero, orc: hero > 0).solve()[True]) > 0.5
    True
    """
    state = [_number(number)._expression for number in first]
    rounds = Rounds.__new__(Rounds)
    rounds._rounds = _engine.repeat_until(state, _condition_of(until), _members_of(round))
    return rounds


def solved(of: Dist | Rule | Expression | str, solving: Solving | None = None) -> Dist:
    """The distribution of whatever has one: a text is a rule."""
    if isinstance(of, str):
        of = rule(of)
    if isinstance(of, Dist):
        return of
    if isinstance(of, (Rule, Expression)):
        return of.solve(**(solving or {}))
    raise TypeError(f"a distribution, a rule, an expression or a text is needed here, and not {type(of).__name__}")


# How values of Python become expressions, and those of the engine become objects.

_KINDS: dict[str, type[Expression]] = {
    "condition": Condition,
    "given": Given,
    "number": Number,
    "pool": Pool,
    "record": RecordOf,
}


def _made(expression: _engine.Expression) -> Any:
    made = _KINDS[expression.kind].__new__(_KINDS[expression.kind])
    made._expression = expression
    return made


def _numeric(expression: _engine.Expression) -> Number:
    return cast(Number, _made(expression))


def _pool(expression: _engine.Expression) -> Pool:
    return cast(Pool, _made(expression))


def _is_numeric(value: object) -> bool:
    return isinstance(value, (Number, Condition, Dist)) or hasattr(value, "__index__")


def _number(value: object) -> Number:
    """What stands for a number, as one."""
    if isinstance(value, Number):
        return value
    if isinstance(value, Condition):
        return value.number()
    if isinstance(value, Dist):
        return _die_of(value)
    if hasattr(value, "__index__"):
        return _numeric(_engine.Expression.constant(value))
    if isinstance(value, (float, Fraction)):
        raise TypeError(f"numbers of dice are whole, and {value} is a {type(value).__name__}: scale it, or use solve() first")
    if isinstance(value, Pool):
        raise TypeError("a number is needed here, and not a pool: use pool.sum(), .highest(), .count() or .only()")
    if isinstance(value, str):
        raise TypeError("a number is needed here, and not a text: texts are made of results, by `.solve().map(…)`")
    raise TypeError(f"a number is needed here, and not {type(value).__name__}")


def _condition(value: object) -> Condition:
    """What stands for a condition, as one."""
    if isinstance(value, Condition):
        return value
    if isinstance(value, bool):
        return cast(Condition, _made(_engine.Expression.truth(value)))
    raise TypeError(f"a condition is needed here, such as x >= 5, and not {type(value).__name__}")


def _members(value: object) -> Pool:
    """What stands for a pool, as one."""
    if isinstance(value, Pool):
        return value
    if isinstance(value, Number):
        return _pool(value._expression.unary("pool"))
    if isinstance(value, range) and value.step == 1 and value and abs(value[0]) + abs(value[-1]) < 1 << 62:
        return _pool(_engine.Expression.range(value[0], value[-1]))
    if isinstance(value, (Expression, str, Mapping)) or not isinstance(value, Iterable):
        raise TypeError(f"a pool or a list of numbers is needed here, and not {type(value).__name__}")
    members = [_number(member)._expression for member in islice(value, _MOST_LISTED + 1)]
    if len(members) > _MOST_LISTED:
        raise _wrong(f"a pool of more than {_MOST_LISTED} members is listed", "say x.times(n) for many that are alike")
    return _pool(_engine.Expression.pool_of(members))


def _anything(value: object) -> Expression:
    """What stands for any expression, as one."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, bool):
        return _condition(value)
    if isinstance(value, Dist):
        return _die_of(value)
    if isinstance(value, Mapping):
        return record(value)
    if hasattr(value, "__index__"):
        return _number(value)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return _members(value)
    if value is None:
        raise TypeError("the function gives nothing back: does it lack a return?")
    return _number(value)


def _die_of(dist: Dist) -> Number:
    """A die with the outcomes of a distribution."""
    if not dist._answer.is_numeric or dist._answer.parts != 1:
        raise _wrong(
            "the faces of a die that is rolled in an expression are whole numbers",
            "a Dist has any outcomes; write numbers for symbols here, and name them at last, by `.solve().map(…)`",
        )
    return _numeric(_engine.Expression.from_answer(dist._answer).unary("number"))


def _any_of(function: Callable[..., Anything]) -> Callable[..., _engine.Expression]:
    return lambda *of: _anything(function(*map(_made, of)))._expression


def _condition_of(function: Callable[..., Condition | bool]) -> Callable[..., _engine.Expression]:
    return lambda *of: _condition(function(*map(_made, of)))._expression


def _number_of(function: Callable[..., Numeric]) -> Callable[..., _engine.Expression]:
    return lambda *of: _number(function(*map(_made, of)))._expression


def _members_of(function: Callable[..., Members]) -> Callable[..., _engine.Expression]:
    return lambda *of: _members(function(*map(_made, of)))._expression


def _is(rolls: Rolls) -> Callable[[Number], Condition | bool]:
    """A condition on a roll, or that it is a number, or one of several."""
    if callable(rolls):
        return rolls
    if isinstance(rolls, Iterable):
        numbers = pool(rolls)
        return lambda roll: numbers.contains(roll)
    return lambda roll: roll == rolls


def _arm(arm: object) -> tuple[int, int]:
    """The first and the last number of an arm."""
    if isinstance(arm, range):
        if arm.step != 1:
            raise ValueError("a range of numbers has no steps")
        return arm.start, arm.stop - 1
    if isinstance(arm, tuple):
        first, last = arm
        return first, last
    index = cast(SupportsIndex, arm).__index__()
    return index, index


def _mapped(result: object) -> int | Expression:
    """What a function made of an outcome."""
    if isinstance(result, Expression):
        return _number(result)
    if isinstance(result, Dist):
        return _die_of(result)
    if hasattr(result, "__index__"):
        return int(cast(SupportsIndex, result).__index__())
    return _number(result)


def _chosen(roll: Number, outcomes: list[int], results: list[Number]) -> Number:
    """The result beside the outcome that was rolled, found by halves."""
    if len(results) == 1:
        return results[0]
    half = len(results) // 2
    yes = _chosen(roll, outcomes[:half], results[:half])
    no = _chosen(roll, outcomes[half:], results[half:])
    return cast(Number, (roll < outcomes[half]).then(yes, no))


def _branches(condition: _engine.Expression, yes: Expression, no: Expression) -> _engine.Expression:
    """Two expressions of one kind where a condition holds, and where it does not."""
    branches: list[Expression]
    if isinstance(yes, Given) or isinstance(no, Given):
        branches = [it if isinstance(it, Given) else it.given(True) for it in (yes, no)]
    elif isinstance(yes, Pool) or isinstance(no, Pool):
        branches = [_members(it) for it in (yes, no)]
    elif isinstance(yes, RecordOf) or isinstance(no, RecordOf):
        if not (isinstance(yes, RecordOf) and isinstance(no, RecordOf)):
            raise TypeError("a record stands beside a record")
        branches = [yes, no]
    elif isinstance(yes, Condition) and isinstance(no, Condition):
        branches = [yes, no]
    else:
        branches = [_number(it) for it in (yes, no)]
    return condition.choose(branches[0]._expression, branches[1]._expression)


def _wrong(message: str, help: str) -> DicedistError:
    return DicedistError("type", (Finding(message, help=help),))
