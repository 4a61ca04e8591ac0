"""HTML for notebooks. All texts are escaped, and a picture is an image that runs nothing."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape

from ._numbers import Interval

#: More rows are not shown.
MOST_ROWS = 40

#: A number of more digits is not written: nobody reads it, and Python can refuse to write integers of 641 digits and more.
MOST_DIGITS = 600
_LEAST_LONG = 10**MOST_DIGITS

_CELL = 'style="text-align:{side};white-space:nowrap;padding:1px 8px"'


def percent(chance: Fraction | Interval) -> str:
    """A probability as people read it."""
    if isinstance(chance, Interval):
        return f"{percent(Fraction(chance.low))} – {percent(Fraction(chance.high))}"
    return f"{_decimal(chance * 100, 4)}%"


def _decimal(number: Fraction, digits: int) -> str:
    """A number with so many digits after the point, rounded half away from zero."""
    scaled = abs(number) * 10**digits
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    text = f"{whole:0{digits + 1}d}"
    sign = "-" if number < 0 and whole else ""
    return f"{sign}{text[:-digits]}.{text[-digits:]}"


def is_long(value: object) -> bool:
    """Whether a number, or one within a record or a list, has more digits than are written."""
    if isinstance(value, (int, Fraction)):
        return not -_LEAST_LONG < value.numerator < _LEAST_LONG or value.denominator >= _LEAST_LONG
    if isinstance(value, Interval):
        return is_long(value.low) or is_long(value.high)
    return isinstance(value, tuple) and any(map(is_long, value))


def written(value: object) -> str:
    """A value as Python writes it, unless it is long."""
    return "a long number" if is_long(value) else str(value)


def figure(value: object) -> str:
    """A figure, with decimals where it is a fraction."""
    if is_long(value):
        return written(value)
    if isinstance(value, Fraction) and value.denominator > 1:
        return _decimal(value, 4)
    if isinstance(value, Interval):
        ends = (Fraction(end) if isinstance(end, Fraction) else end for end in (value.low, value.high))
        return " – ".join(figure(end) for end in ends)
    if isinstance(value, float):
        return "infinite" if value > 0 else "-infinite"
    return str(value)


def outcome(value: object) -> str:
    """An outcome as a cell."""
    return escape(written(value))


def bar(share: float) -> str:
    """A bar of at most ten ems."""
    return (
        '<div style="background:#4c78a8;height:0.8em;'
        f'width:{max(0.0, min(share, 1.0)) * 10:.2f}em"></div>'
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]], sides: str) -> str:
    """A table of cells that are HTML already. The sides are a letter for each column: l or r."""
    names = {"l": "left", "r": "right"}
    styles = [_CELL.format(side=names[side]) for side in sides]
    cells = "".join(f"<th {style}>{cell}</th>" for style, cell in zip(styles, head, strict=True))
    lines = [f"<thead><tr>{cells}</tr></thead><tbody>"]
    for row in rows:
        cells = "".join(f"<td {style}>{cell}</td>" for style, cell in zip(styles, row, strict=True))
        lines.append(f"<tr>{cells}</tr>")
    return f'<table class="dicedist">{"".join(lines)}</tbody></table>'


def picture(svg: str, width: str = "36em") -> str:
    """A picture as an image."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="" style="max-width:{width};width:100%" src="data:image/svg+xml;base64,{data}">'


def beside(*parts: str) -> str:
    """Parts side by side, as far as there is room."""
    cells = "".join(f"<div>{part}</div>" for part in parts if part)
    return f'<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">{cells}</div>'


def note(text: str) -> str:
    """A remark."""
    return f"<div><em>{escape(text)}</em></div>"
