"""Exact numbers: fractions, and intervals where a figure is not known exactly."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn, SupportsIndex, Union

#: What a bound of an interval can be: the floats are the two infinities.
Bound = Union[Fraction, float]

def _unreduced(numerator: int, denominator: int) -> Fraction:
    """As in Python before 3.12."""
    return Fraction(numerator, denominator, _normalize=False)  # type: ignore[call-overload,no-any-return]


#: The fraction of two integers without a common divisor, of which none is sought.
coprime: Callable[[int, int], Fraction] = getattr(Fraction, "_from_coprime_ints", _unreduced)


def fraction(number: object, what: str = "a number") -> Fraction:
    """The fraction that is meant by a number; a float means the decimal that Python shows for it.

    >>> fraction(0.95)
    Fraction(19, 20)
    """
    if isinstance(number, Fraction):
        return number
    if isinstance(number, (float, Decimal)):
        if not math.isfinite(number):
            raise ValueError(f"{what} is finite, and not {number}")
        return Fraction(str(number))
    if isinstance(number, str):
        return Fraction(number)
    if isinstance(number, numbers.Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    if isinstance(number, SupportsIndex):
        return Fraction(number.__index__())
    if isinstance(number, numbers.Real):
        return fraction(float(number), what)
    raise TypeError(f"{what} is needed here, and not {type(number).__name__}")


class Interval:
    """A figure that is known only within bounds, both included.

    Sums, differences and products with numbers and other intervals are intervals. A comparison is answered where the bounds
    decide it; otherwise it raises ``ValueError``.

    >>> from fractions import Fraction
    >>> chance = Interval(Fraction(1, 4), Fraction(1, 2))
    >>> 1 - chance
    Interval(1/2, 3/4)
    >>> chance < Fraction(2, 3)
    True
    """

    __slots__ = ("high", "low")

    low: Bound
    high: Bound

    def __init__(self, low: Bound | int, high: Bound | int) -> None:
        low, high = _bound(low), _bound(high)
        if low > high:
            raise ValueError("the lower bound is above the upper bound")
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("an interval does not change")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("an interval does not change")

    @property
    def width(self) -> Bound:
        """How far the bounds lie apart."""
        return self.high - self.low

    @property
    def middle(self) -> Bound:
        """The number between the bounds."""
        return (self.low + self.high) / 2

    def __contains__(self, number: Bound | int) -> bool:
        return bool(self.low <= number <= self.high)

    def __repr__(self) -> str:
        return f"Interval({self.low}, {self.high})"

    def __str__(self) -> str:
        return f"between {self.low} and {self.high}"

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        return f"between {float(self.low):{spec}} and {float(self.high):{spec}}"

    def __float__(self) -> NoReturn:
        raise TypeError("an interval is no float: .low, .high and .middle are")

    def __bool__(self) -> bool:
        return not self == Interval(0, 0)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Interval):
            return NotImplemented
        return self.low == other.low and self.high == other.high

    def __hash__(self) -> int:
        return hash((Interval, self.low, self.high))

    def __reduce__(self) -> tuple[Any, ...]:
        return Interval, (self.low, self.high)

    def __lt__(self, other: Interval | Bound | int) -> bool:
        low, high = _ends(other)
        return self._decided(self.high < low, self.low >= high, other)

    def __le__(self, other: Interval | Bound | int) -> bool:
        low, high = _ends(other)
        return self._decided(self.high <= low, self.low > high, other)

    def __gt__(self, other: Interval | Bound | int) -> bool:
        return not self.__le__(other)

    def __ge__(self, other: Interval | Bound | int) -> bool:
        return not self.__lt__(other)

    def _decided(self, holds: bool, fails: bool, other: object) -> bool:
        if holds or fails:
            return holds
        raise ValueError(f"whether {self} is more or less than {other} is not known")

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __add__(self, other: Interval | Bound | int) -> Interval:
        low, high = _ends(other)
        return Interval(self.low + low, self.high + high)

    __radd__ = __add__

    def __sub__(self, other: Interval | Bound | int) -> Interval:
        low, high = _ends(other)
        return Interval(self.low - high, self.high - low)

    def __rsub__(self, other: Interval | Bound | int) -> Interval:
        return -self + other

    def __mul__(self, other: Interval | Bound | int) -> Interval:
        # Zero times infinity is zero here: a bound that is not reached.
        corners = [a * b if a and b else Fraction(0) for a in (self.low, self.high) for b in _ends(other)]
        return Interval(min(corners), max(corners))

    __rmul__ = __mul__

    def __truediv__(self, other: Interval | Bound | int) -> Interval:
        low, high = _ends(other)
        if low <= 0 <= high:
            raise ZeroDivisionError("the divisor may be 0")
        inverse = [1 / Fraction(end) if math.isfinite(end) else Fraction(0) for end in (low, high)]
        return self * Interval(min(inverse), max(inverse))

    def __rtruediv__(self, other: Bound | int) -> Interval:
        return Interval(other, other) / self


def _bound(number: Bound | int) -> Bound:
    """A bound as a fraction, if it is finite."""
    if isinstance(number, float):
        if math.isnan(number):
            raise ValueError("a bound is a number")
        return number if math.isinf(number) else Fraction(number)
    return Fraction(number)


def _ends(number: Interval | Bound | int) -> tuple[Bound, Bound]:
    """The bounds of an interval, or a number twice."""
    if isinstance(number, Interval):
        return number.low, number.high
    if isinstance(number, (int, float, Fraction)):
        bound = _bound(number)
        return bound, bound
    raise TypeError(f"a number is needed here, and not {type(number).__name__}")
