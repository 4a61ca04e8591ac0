"""Distributions in the formats of the command: tables, Markdown, CSV, JSON, pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from . import _engine

View = Literal["exactly", "at_least", "at_most"]
Layout = Literal["listing", "summary", "transposed"]


@dataclass(frozen=True)
class Entry:
    """A rule with its answer, as the engine takes it."""

    rule: int
    name: str
    expression: str
    dialect: str | None
    values: Mapping[str, int]
    answer: _engine.Answer


@dataclass(frozen=True)
class Options:
    """How answers are shown, as the engine takes it."""

    digits: int = 4
    fractions: bool = False
    all: bool = False
    width: int = 80
    view: View = "exactly"
    layout: Layout = "listing"
    title: str | None = None
    wide: bool = False
    at_least: Sequence[int | Fraction] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Refuses what the command refuses."""
        for name, number, most in (("digits", self.digits, 100), ("width", self.width, 100_000)):
            if not hasattr(number, "__index__"):
                raise TypeError(f"{name} is a whole number, and not {type(number).__name__}")
            if not 0 <= number <= most:
                raise ValueError(f"{name} is a whole number from 0 to {most}")


def write(format: str, entries: Sequence[Entry], options: Options | None = None) -> str:
    """The text of a report."""
    return _engine.report(format, list(entries), options or Options())


def png(entries: Sequence[Entry], options: Options | None = None, *, scale: int = 2) -> bytes:
    """A picture as a bitmap, ``scale`` times as wide and as high."""
    if not 1 <= scale <= 10:
        raise ValueError("scale is a whole number from 1 to 10")
    return _engine.bitmap(list(entries), options or Options(), scale)
