"""Several rules side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any, Union

from . import _html, _parallel, _report
from ._dist import Dist, Number, Versus
from ._rule import Rule
from .dice import Expression, solved

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import pandas

    from ._limits import Solving

#: What can be compared: a text is a rule.
Comparable = Union[Dist, Rule, Expression, str]


class Comparison(Mapping[str, Dist]):
    """Distributions by their names, side by side in tables and pictures; ``compare`` makes it.

    >>> import dicedist
    >>> both = dicedist.compare({"plain": "sum(3#d6)", "heroic": "sum(drop low 1 4#d6)"})
    >>> both.at_least(15)
    {'plain': Fraction(5, 54), 'heroic': Fraction(25, 108)}
    >>> both.versus("heroic", "plain").dominance
    'a'
    """

    __slots__ = ("__weakref__", "_dists")

    _dists: dict[str, Dist]

    def __init__(self, dists: dict[str, Dist]) -> None:
        self._dists = dists

    def __getitem__(self, name: str) -> Dist:
        return self._dists[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._dists)

    def __len__(self) -> int:
        return len(self._dists)

    def versus(self, a: str, b: str) -> Versus:
        """How two of them compare."""
        return self[a].versus(self[b])

    def mean(self) -> dict[str, Any]:
        """The mean of each."""
        return {name: dist.mean() for name, dist in self.items()}

    def at_least(self, bound: Number) -> dict[str, Any]:
        """The probability of this number or a higher one, of each."""
        return {name: dist.at_least(bound) for name, dist in self.items()}

    def at_most(self, bound: Number) -> dict[str, Any]:
        """The probability of this number or a lower one, of each."""
        return {name: dist.at_most(bound) for name, dist in self.items()}

    def _entries(self) -> list[_report.Entry]:
        return [dist._entry(place, name) for place, (name, dist) in enumerate(self.items())]

    def to_table(self, *, at_least: Iterable[Number] = (), **options: Any) -> str:
        """The table of the command, with the chances of these bounds instead of all outcomes, if there are any."""
        asked = _report.Options(at_least=list(at_least), **options)
        return _report.write("queries" if asked.at_least else "table", self._entries(), asked)

    def to_markdown(self, *, at_least: Iterable[Number] = (), **options: Any) -> str:
        """The table in Markdown."""
        asked = _report.Options(at_least=list(at_least), **options)
        return _report.write("markdown", self._entries(), asked)

    def to_csv(self, *, wide: bool = False) -> str:
        """A row for each rule and outcome; ``wide`` has a column for each rule."""
        return _report.write("csv", self._entries(), _report.Options(wide=wide))

    def to_json(self) -> str:
        """Everything that is known, as the command writes it."""
        return _report.write("json", self._entries())

    def to_svg(self, *, view: _report.View = "exactly", title: str | None = None) -> str:
        """A picture of all of them."""
        return _report.write("svg", self._entries(), _report.Options(view=view, title=title))

    def to_png(self, *, view: _report.View = "exactly", title: str | None = None, scale: int = 2) -> bytes:
        """A picture of all of them as a bitmap."""
        return _report.png(self._entries(), _report.Options(view=view, title=title), scale=scale)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_png_(self) -> bytes:
        return self.to_png()

    def __str__(self) -> str:
        return self.to_table().strip()

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self)}>"

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each outcome and a column for each rule, of floats. Needs pandas."""
        import pandas

        columns = {name: dist.to_pandas() for name, dist in self.items()}
        return pandas.DataFrame(columns).fillna(0.0).sort_index()

    def _repr_html_(self) -> str:
        outcomes = list(dict.fromkeys(outcome for dist in self.values() for outcome in dist))
        try:
            outcomes.sort()
        except TypeError:
            pass
        rows = []
        for outcome in outcomes[: _html.MOST_ROWS]:
            cells = [_html.outcome(outcome)]
            cells += [_html.percent(dist[outcome]) if outcome in dist else "" for dist in self.values()]
            rows.append(cells)
        if len(outcomes) > len(rows):
            rows.append([f"… {len(outcomes) - len(rows)} more", *("" for _ in self)])
        for name, question in (("mean", "mean"), ("median", "median")):
            cells = [f"<strong>{name}</strong>"]
            for dist in self.values():
                value = getattr(dist, question)() if dist._answer.is_numeric else None
                cells.append("" if value is None else escape(_html.figure(value)))
            rows.append(cells)
        head = ("outcome", *(escape(name) for name in self))
        table = _html.table(head, rows, "r" * len(head))
        return _html.beside(table, _html.picture(self.to_svg()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Comparison, (self._dists,)


def compare(
    *rules: Mapping[str, Comparable] | Iterable[Comparable] | Comparable,
    solving: Solving | None = None,
    executor: Executor | None = None,
    **more: Comparable,
) -> Comparison:
    """Solves rules and shows them side by side: distributions, rules, expressions or texts, by their names. What has no name is
    called by its text. ``executor`` solves rules and texts elsewhere, as in ``sweep``; expressions are solved here.

    >>> print(compare(d20="d20", advantage="max(2#d20)").to_table(at_least=[11]))
               at least 11
    d20        50.0000%  ███████████████          1/2
    advantage  75.0000%  ██████████████████████▌  3/4
    <BLANKLINE>
    """
    named: dict[str, Comparable] = {}
    several: list[Any] = []
    for it in rules:
        if isinstance(it, Mapping) and not isinstance(it, Dist):
            named.update(it)
        elif isinstance(it, (str, Dist, Rule, Expression)) or not isinstance(it, Iterable):
            several.append(it)
        else:
            several += it
    named = {**_numbered(several), **named, **more}
    if not named:
        raise ValueError("nothing is compared")
    here: dict[str, Comparable] = {}
    away: dict[str, Comparable] = {}
    for name, it in named.items():
        is_read = isinstance(it, str) or isinstance(it, Rule) and it.text is not None
        (away if is_read else here)[name] = it
    dists = _solved(here, solving)
    if away:
        dists |= _solved(away, solving, executor)
    return Comparison({name: dists[name] for name in named})


def _solved(
    named: dict[str, Comparable],
    solving: Solving | None,
    executor: Executor | None = None,
) -> dict[str, Dist]:
    dists = _parallel.each(_second, list(named.items()), lambda it: {"rule": it[0]}, solving, executor)
    return dict(zip(named, dists, strict=True))


def _second(named: tuple[str, Comparable], solving: Solving | None) -> Dist:
    return solved(named[1], solving)


def _numbered(rules: Iterable[Comparable]) -> dict[str, Comparable]:
    """The rules by their names; a name that comes again has a number."""
    named: dict[str, Comparable] = {}
    for it in rules:
        name, number = _name(it), 2
        while name in named:
            name, number = f"{_name(it)} #{number}", number + 1
        named[name] = it
    return named


def _name(of: Comparable) -> str:
    if isinstance(of, str):
        return of
    return (of.name if isinstance(of, (Dist, Rule)) else "") or repr(of)
