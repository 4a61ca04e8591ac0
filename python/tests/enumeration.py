"""Rolls of plain dice, listed one by one: what the tests compare with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any


def rolls(function: Callable[..., Any], *dice: Iterable[Any]) -> dict[Any, Fraction]:
    """The probability of each value of a function of dice, whose faces are equally likely."""
    counted = Counter(function(*roll) for roll in product(*map(list, dice)))
    total = sum(counted.values())
    return {outcome: Fraction(count, total) for outcome, count in sorted(counted.items())}


def die(sides: int) -> range:
    return range(1, sides + 1)


def mean(probabilities: dict[Any, Fraction]) -> Fraction:
    return sum((outcome * chance for outcome, chance in probabilities.items()), Fraction(0))
