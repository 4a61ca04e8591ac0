"""Sweeps: one rule for several values of its free names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from html import escape
from itertools import product
from typing import TYPE_CHECKING, Any, Union

from . import _html, _parallel, _report
from ._dist import Dist, Moment, Number, Probability, _float
from ._numbers import Interval
from ._record import Record
from ._rule import Rule, rule
from .dice import Expression, solved

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import pandas

    from ._limits import Solving

#: What is swept: a value of the only swept name, or a record of all.
Key = Union[int, Record]


class Sweep(Mapping[Key, Dist]):
    """The distributions of a rule for several values of its names: a mapping from the value, or from a ``Record`` of values, to a ``Dist``.

    >>> import dicedist
    >>> hits = dicedist.sweep("count >=8 n#d10", n=range(4, 7))
    >>> hits[5].at_least(2)
    Fraction(23589, 50000)
    >>> {n: float(chance) for n, chance in hits.at_least(3).items()}
    {4: 0.0837, 5: 0.16308, 6: 0.25569}
    """

    __slots__ = ("__weakref__", "_dialect", "_dists", "_name", "_names")

    _names: tuple[str, ...]
    _dists: dict[Key, Dist]
    _name: str
    _dialect: str | None

    def __init__(
        self, names: tuple[str, ...], dists: dict[Key, Dist], name: str = "", dialect: str | None = None
    ) -> None:
        self._names = names
        self._dists = dists
        self._name = name
        self._dialect = dialect

    @property
    def name(self) -> str:
        """The name that tables and pictures show: that of the rule, or of the function."""
        return self._name

    @property
    def names(self) -> tuple[str, ...]:
        """The names that are swept."""
        return self._names

    def __getitem__(self, key: Any) -> Dist:
        return self._dists[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._dists)

    def __len__(self) -> int:
        return len(self._dists)

    def ask(self, question: Callable[[Dist], Any]) -> dict[Key, Any]:
        """The answer of each distribution to a question: ``sweep.ask(Dist.mean)``."""
        return {key: question(dist) for key, dist in self.items()}

    def mean(self) -> dict[Key, Moment]:
        """The mean for each value."""
        return self.ask(Dist.mean)

    def stdev(self) -> dict[Key, float]:
        """The standard deviation for each value, rounded."""
        return self.ask(Dist.stdev)

    def median(self) -> dict[Key, Any]:
        """The median for each value."""
        return self.ask(Dist.median)

    def at_least(self, bound: Number) -> dict[Key, Probability]:
        """The probability of this number or a higher one, for each value."""
        return self.ask(lambda dist: dist.at_least(bound))

    def at_most(self, bound: Number) -> dict[Key, Probability]:
        """The probability of this number or a lower one, for each value."""
        return self.ask(lambda dist: dist.at_most(bound))

    def exactly(self, outcome: Any) -> dict[Key, Probability]:
        """The probability of an outcome, for each value."""
        return self.ask(lambda dist: dist.exactly(outcome))

    def _entries(self) -> list[_report.Entry]:
        name = self._name
        return [
            _report.Entry(0, name, name, self._dialect, self._values(key), dist._answer)
            for key, dist in self.items()
        ]

    def _values(self, key: Key) -> dict[str, int]:
        values = key if isinstance(key, Record) else (key,)
        return dict(zip(self._names, values, strict=True))  # type: ignore[arg-type]

    def __str__(self) -> str:
        return _report.write("table", self._entries()).strip()

    def __repr__(self) -> str:
        return f"<Sweep of {self._name!r} over {', '.join(self._names)}: {len(self)} distributions>"

    def to_table(self, *, at_least: Iterable[Number] = (), **options: Any) -> str:
        """The table of the command: a row for each value, with the chances of these bounds."""
        asked = _report.Options(at_least=list(at_least), **options)
        return _report.write("queries" if asked.at_least else "table", self._entries(), asked)

    def to_markdown(self, *, at_least: Iterable[Number] = (), **options: Any) -> str:
        """The table in Markdown."""
        asked = _report.Options(at_least=list(at_least), **options)
        return _report.write("markdown", self._entries(), asked)

    def to_csv(self) -> str:
        """A row for each value and outcome."""
        return _report.write("csv", self._entries())

    def to_json(self) -> str:
        """Everything that is known, as the command writes it."""
        return _report.write("json", self._entries())

    def to_svg(self, *, at_least: Iterable[Number] = (), title: str | None = None) -> str:
        """A picture: the mean by value, or the chances of these bounds."""
        options = _report.Options(at_least=list(at_least), title=title)
        return _report.write("svg", self._entries(), options)

    def to_png(self, *, at_least: Iterable[Number] = (), title: str | None = None, scale: int = 2) -> bytes:
        """The picture of ``to_svg`` as a bitmap."""
        options = _report.Options(at_least=list(at_least), title=title)
        return _report.png(self._entries(), options, scale=scale)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_png_(self) -> bytes:
        return self.to_png()

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each value and a column for each outcome, of floats. Needs pandas."""
        import pandas

        outcomes = list(dict.fromkeys(outcome for dist in self.values() for outcome in dist))
        try:
            outcomes.sort()
        except TypeError:
            pass
        rows = [[_float(dist[it]) if it in dist else 0.0 for it in outcomes] for dist in self.values()]
        if len(self._names) > 1:
            keys = [tuple(key) for key in self]  # type: ignore[arg-type]
            index: Any = pandas.MultiIndex.from_tuples(keys, names=list(self._names))
        else:
            index = pandas.Index(list(self), name=self._names[0])
        columns = pandas.Index(outcomes, name="outcome", tupleize_cols=False)
        return pandas.DataFrame(rows, index=index, columns=columns, dtype=float)

    def _repr_html_(self) -> str:
        head = (*(escape(name) for name in self._names), "mean", "median", "")
        rows = []
        figures = [(key, dist._answer.mean(), dist.median() if dist._answer.is_numeric else None) for key, dist in self.items()]
        means = [0.0 if mean is None or isinstance(mean, Interval) else float(mean) for _, mean, _ in figures]
        most = max((abs(mean) for mean in means if mean < float("inf")), default=1.0) or 1.0
        for (key, mean, median), length in zip(figures[: _html.MOST_ROWS], means, strict=False):
            values = [escape(str(value)) for value in self._values(key).values()]
            shown = ["" if it is None else escape(_html.figure(it)) for it in (mean, median)]
            rows.append((*values, *shown, _html.bar(abs(length) / most)))
        table = _html.table(head, rows, "r" * (len(head) - 1) + "l")
        title = f"<div><strong>{escape(self._name)}</strong></div>"
        return title + _html.beside(table, _html.picture(self.to_svg()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Sweep, (self._names, self._dists, self._name, self._dialect)


def sweep(
    of: str | Rule | Callable[..., Any],
    /,
    dialect: str | None = None,
    *,
    solving: Solving | None = None,
    executor: Executor | None = None,
    **values: int | Iterable[int],
) -> Sweep:
    """Solves a rule for several values of its free names: each value that is a range or a list is swept, and each combination of them solved.

    In place of a rule a function of the values may make one: an expression, a rule or a distribution. ``solving`` has the limits, as
    a dictionary of what ``Rule.solve`` takes. An error has the values of the first setting that fails in ``setting``.

    ``executor`` solves the settings elsewhere: a ``ProcessPoolExecutor``, the ``get_executor()`` of a Dask client, or any other of
    ``concurrent.futures``. The numbers are the same, ``progress`` counts settings, and limits hold for each setting. A function must be
    one that the executor can pickle: for processes, one that a module defines.

    >>> sweep("sum(n#d6) + bonus", n=range(1, 4), bonus=2)
    <Sweep of 'sum(n#d6) + bonus' over n: 3 distributions>
    >>> from dicedist import d
    >>> sweep(lambda n: n @ d(6), n=range(1, 4)).mean()
    {1: Fraction(7, 2), 2: Fraction(7, 1), 3: Fraction(21, 2)}
    """
    if isinstance(of, Expression):
        raise TypeError("an expression has no free names: sweep a function that makes it, as in sweep(lambda n: n @ d(6), n=range(1, 6))")
    read = rule(of, dialect) if isinstance(of, str) else of
    fixed: dict[str, int] = {}
    swept: dict[str, list[int]] = {}
    for name, value in values.items():
        if hasattr(value, "__index__") and not isinstance(value, Iterable):
            fixed[name] = value
        elif isinstance(value, str) or not isinstance(value, Iterable):
            raise TypeError(f"{name} is swept over whole numbers, and not over {type(value).__name__}")
        else:
            swept[name] = list(value)
    if not swept:
        free = read.free_names if isinstance(read, Rule) else ()
        known = ", ".join(free) or "it has no free name"
        raise TypeError(f"nothing is swept: give a free name a range, as in n=range(1, 11) ({known})")
    if isinstance(read, Rule):
        read = read.with_values(fixed)
    elif not callable(read):
        raise TypeError(f"a rule, a text or a function is swept, and not {type(read).__name__}")
    names = tuple(swept)
    settings = [dict(zip(names, combination, strict=True)) for combination in product(*swept.values())]
    if not settings:
        raise ValueError("nothing is swept: a range is empty")
    work = partial(_solved, read, fixed)
    dists = _parallel.each(work, settings, lambda setting: {**fixed, **setting}, solving, executor)
    keys = [_key(setting) for setting in settings]
    by_key = dict(zip(keys, dists, strict=True))
    if isinstance(read, Rule):
        return Sweep(names, by_key, read.name, read.dialect)
    name = getattr(read, "__name__", "")
    return Sweep(names, by_key, "sweep" if name == "<lambda>" else name)


def _solved(
    of: Rule | Callable[..., Any], fixed: dict[str, int], setting: dict[str, int], solving: Solving | None
) -> Dist:
    one = of.with_values(setting) if isinstance(of, Rule) else of(**fixed, **setting)
    return solved(one, solving)


def _key(setting: dict[str, int]) -> Key:
    values = tuple(setting.values())
    return values[0] if len(values) == 1 else Record._of(tuple(setting), values)
