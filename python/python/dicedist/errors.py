"""What can go wrong with a rule, as exceptions that say where, why, and what to write instead.

>>> import dicedist
>>> dicedist.solve("sum(3#d6")
Traceback (most recent call last):
dicedist.errors.ParseError: this `(` is never closed
  1 | sum(3#d6
    |    ^
  help: write `)` where it ends
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

__all__ = [
    "DicedistError",
    "DivisionByZeroError",
    "Finding",
    "InternalError",
    "LimitError",
    "ParseError",
    "UnboundError",
]

#: A longer line is shown in part: so many characters on either side of the place.
_AROUND = 60


@dataclass(frozen=True)
class Finding:
    """One finding about a rule. Places count characters of the text of the rule; lines and columns count from 1."""

    message: str
    start: int | None = None
    end: int | None = None
    line: int | None = None
    column: int | None = None
    label: str | None = None
    notes: tuple[str, ...] = ()
    help: str | None = None
    correction: str | None = None

    def shown(self, text: str | None) -> str:
        """The finding in a few lines, with its place in the text underlined."""
        lines = [self.message]
        if text is not None and self.start is not None and self.end is not None:
            lines += _underlined(text, self.start, self.end, self.line or 1, self.label)
        lines += [f"  note: {note}" for note in self.notes]
        if self.help is not None:
            lines.append(f"  help: {self.help}")
        return "\n".join(lines)


class DicedistError(ValueError):
    """A rule is wrong, can go wrong, or takes too much.

    >>> import dicedist
    >>> try:
    ...     dicedist.solve("12 / (d6 - 1)")
    ... except dicedist.DicedistError as error:
    ...     print(error.kind, error.probability, error.start, error.end)
    division_by_zero 1/6 0 13
    """

    #: ``bad_die``, ``division_by_zero``, ``domain``, ``limit``, ``negative_count``, ``overflow``, ``parse``, ``type`` or ``unbound``.
    kind: str
    #: All that was found, the most important first.
    findings: tuple[Finding, ...]
    #: The text of the rule; ``None`` for an expression.
    text: str | None
    #: The probability that a roll fails, or the least that it can be (``probability_is_exact``).
    probability: Fraction | None
    #: Whether ``probability`` is exact.
    probability_is_exact: bool
    #: The limit that was reached, such as ``time``.
    limit: str | None
    #: The values of names, or the name of the rule, where a sweep or a comparison met the error.
    setting: dict[str, Any] | None

    def __init__(
        self,
        kind: str,
        findings: tuple[Finding, ...],
        text: str | None = None,
        probability: Fraction | None = None,
        probability_is_exact: bool = False,
        limit: str | None = None,
    ) -> None:
        super().__init__(findings[0].message)
        self.kind = kind
        self.findings = findings
        self.text = text
        self.probability = probability
        self.probability_is_exact = probability_is_exact
        self.limit = limit
        self.setting = None

    @property
    def message(self) -> str:
        """What is wrong, in one line."""
        return self.findings[0].message

    @property
    def start(self) -> int | None:
        """The first character of the place in the text."""
        return self.findings[0].start

    @property
    def end(self) -> int | None:
        """One past the last character of the place."""
        return self.findings[0].end

    @property
    def line(self) -> int | None:
        """The line of the place, from 1."""
        return self.findings[0].line

    @property
    def column(self) -> int | None:
        """The column of the place, from 1."""
        return self.findings[0].column

    @property
    def notes(self) -> tuple[str, ...]:
        """Explanations."""
        return self.findings[0].notes

    @property
    def help(self) -> str | None:
        """What to write instead."""
        return self.findings[0].help

    @property
    def correction(self) -> str | None:
        """The whole rule as it was probably meant."""
        return self.findings[0].correction

    def __str__(self) -> str:
        shown = [finding.shown(self.text) for finding in self.findings]
        if self.setting is not None:
            values = ", ".join(f"{name}={value}" for name, value in self.setting.items())
            shown.append(f"  with {_visible(values)}")
        return "\n".join(shown)

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (self.kind, self.findings, self.text, self.probability)
        return type(self), (*fields, self.probability_is_exact, self.limit), {"setting": self.setting}


class LimitError(DicedistError):
    """A limit of time, states, memory or length was reached. The rule itself may be right."""


class ParseError(DicedistError):
    """A text is no rule."""


class UnboundError(DicedistError):
    """A name has no value."""


class DivisionByZeroError(DicedistError, ZeroDivisionError):
    """A roll can divide by zero, with the ``probability`` that the error states."""


class InternalError(RuntimeError):
    """The engine failed at something that should be impossible. Please report it."""


_CLASSES: dict[str, type[DicedistError]] = {
    "division_by_zero": DivisionByZeroError,
    "limit": LimitError,
    "parse": ParseError,
    "unbound": UnboundError,
}


def _from_engine(
    kind: str,
    findings: list[Finding],
    text: str | None,
    probability: Fraction | None,
    probability_is_exact: bool,
    limit: str | None,
) -> DicedistError:
    """The exception of an error of the engine."""
    of = _CLASSES.get(kind, DicedistError)
    return of(kind, tuple(findings), text, probability, probability_is_exact, limit)


def _plain(kind: str, message: str, help: str | None = None) -> DicedistError:
    """An exception about no place of a text."""
    return _CLASSES.get(kind, DicedistError)(kind, (Finding(message, help=help),))


def _underlined(text: str, start: int, end: int, line: int, label: str | None) -> list[str]:
    """The line of a place, and marks below the place. Of a place on several lines the first is shown."""
    begin = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", start)
    stop = len(text) if stop < 0 else stop
    end = max(min(end, stop), start + 1)
    before, behind = "", ""
    if stop - begin > 3 * _AROUND:
        if start - begin > _AROUND:
            begin, before = start - _AROUND, "…"
        if stop - end > _AROUND:
            end = min(end, start + 2 * _AROUND)
            stop, behind = end + _AROUND, "…"
    shown = before + _visible(text[begin:stop]) + behind
    margin = str(line)
    blanks = " " * _width(before + _visible(text[begin:start]))
    marks = "^" * max(_width(_visible(text[start:end])), 1)
    under = f"  {' ' * len(margin)} | {blanks}{marks}"
    return [f"  {margin} | {shown}", f"{under} {label}" if label else under]


def _visible(text: str) -> str:
    """The text with a sign in place of each character that shows nothing, or does something to the terminal."""
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return "".join(
        " " if sign == "\t" else "�" if unicodedata.category(sign) in hidden else sign for sign in text
    )


def _width(text: str) -> int:
    """How many columns a text takes."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return len(text) + wide - sum(unicodedata.combining(sign) > 0 for sign in text)
