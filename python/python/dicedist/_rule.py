"""Rules as values: read once, and solved or rolled as often as one likes."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from . import _engine, _limits
from ._dist import Dist, Origin
from ._numbers import fraction
from .errors import Finding

if TYPE_CHECKING:
    from fractions import Fraction

#: How a rule was read, for pickles: the text, the notation, the place among the rules of the text, the place among
#: the results of that rule, and the values of names.
_Read = tuple[str, "str | None", int, "int | None", dict[str, int]]


class Rule:
    """A rule: what is rolled, and what is done with the dice. ``dicedist.rule`` reads one.

    >>> import dicedist
    >>> rule = dicedist.rule("sum(drop low 1 n#d6)")
    >>> rule.free_names
    ('n',)
    >>> rule.with_values(n=4).solve().at_least(15)
    Fraction(25, 108)
    """

    __slots__ = ("__weakref__", "_read", "_rule")

    _rule: _engine.Rule
    _read: _Read | None

    def __init__(self) -> None:
        raise TypeError("dicedist.rule(text) reads a rule")

    @classmethod
    def _of(cls, rule: _engine.Rule, read: _Read | None = None) -> Rule:
        made = cls.__new__(cls)
        made._rule = rule
        made._read = read
        return made

    @property
    def name(self) -> str:
        """The name in front of the rule (``heroic: sum(…)``), else its text."""
        return self._rule.name

    @property
    def text(self) -> str | None:
        """The text that the rule was read from; ``None`` for a rule that was built."""
        return self._rule.text

    @property
    def dialect(self) -> str | None:
        """The notation that the rule was read in; ``None`` for a rule that was built."""
        return self._rule.dialect

    @property
    def free_names(self) -> tuple[str, ...]:
        """The names that have no value yet."""
        return tuple(self._rule.free_names)

    @property
    def values(self) -> dict[str, int]:
        """The values that names were given."""
        return dict(self._rule.values)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """Findings about a rule that has a meaning, but probably not the intended one."""
        return tuple(self._rule.warnings())

    def with_values(self, values: dict[str, int] | None = None, /, **more: int) -> Rule:
        """The same rule, in which names have these values. A name that the rule does not use is a ``TypeError``."""
        given = {**(values or {}), **more}
        unknown = [name for name in given if name not in self._rule.all_names]
        if unknown:
            known = ", ".join(self._rule.all_names) or "none"
            raise TypeError(f"the rule has no free name {unknown[0]!r}; its free names: {known}")
        rule = self._rule.with_values(given)
        read = self._read and (*self._read[:4], dict(rule.values))
        return Rule._of(rule, read)

    def results(self) -> list[Rule]:
        """The results of the rule, each as a rule of its own: an AnyDice program has one for each ``output``.

        >>> import dicedist
        >>> program = dicedist.rule('output 3d6 named "plain" output [highest 3 of 4d6] named "best"')
        >>> [result.name for result in program.results()]
        ['plain', 'best']
        """
        results = self._rule.results()
        if len(results) == 1 and self._read is not None and self._read[3] is not None:
            return [self]
        read = self._read
        return [
            Rule._of(rule, read and (read[0], read[1], read[2], place, read[4]))
            for place, rule in enumerate(results)
        ]

    def solve(
        self,
        *,
        time: float | None = 10,
        states: int | None = 2_000_000,
        memory: int | None = 2 << 30,
        outcomes: int = 10_000,
        tolerance: Fraction | float | str = "1e-12",
        sample: bool | int = False,
        ordered: bool = False,
        progress: _limits.Progress = None,
    ) -> Dist:
        """The distribution.

        Limits, of which ``None`` lifts the first three: ``time`` in seconds, ``states`` of the engine, ``memory`` in bytes as the
        engine counts them; ``outcomes`` that are listed of an endless distribution, and ``tolerance``, the largest probability that may
        stay unresolved. Reaching one of the first three is a ``LimitError``, unless the rule may be sampled: ``sample`` is ``True`` or a
        seed, and the rule is then rolled up to a million times.

        ``ordered``: lists in the order of the rule, and not in ascending order. ``progress``: ``True`` shows a bar, if tqdm is
        installed; a function is called now and then with the number of states, or of rolls, so far.

        Other threads go on meanwhile, and Ctrl-C interrupts.
        """
        bounds = _limits.bounds(time, states, memory, outcomes, fraction(tolerance, "a tolerance"))
        with _limits.watching(progress) as watch:
            answer = self._rule.solve(bounds, _limits.seed(sample), ordered, watch)
        return Dist._of(answer, self._origin())

    def roll(self, count: int | None = None, seed: int | None = None) -> Any:
        """A random outcome, or a list of so many. The same seed gives the same outcomes.

        >>> import dicedist
        >>> dicedist.rule("sum(drop low 1 4#d6)").roll(3, seed=1)
        [9, 10, 15]
        """
        if count is not None and count < 0:
            raise ValueError("the number of rolls is not below 0")
        chosen = secrets.randbits(64) if seed is None else _limits.whole_seed(seed)
        rolls = self._rule.roll(1 if count is None else count, chosen)
        return rolls[0] if count is None else rolls

    def _origin(self) -> Origin:
        if self.text is None:
            return Origin()
        values = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return Origin(f"{self.name} ({values})" if values else self.name, self.dialect)

    def __str__(self) -> str:
        return self._rule.canonical()

    def __repr__(self) -> str:
        if self.text is None:
            return f"<Rule {_short(str(self))}>"
        values = "".join(f", {name}={value}" for name, value in self.values.items())
        return f"<Rule {_short(self.name)!r} in {self.dialect}{values}>"

    def _repr_html_(self) -> str | None:
        if self.free_names:
            return None
        return self.solve()._repr_html_()

    def __reduce__(self) -> tuple[Any, ...]:
        if self._read is None:
            raise TypeError("a rule that was built cannot be pickled: pickle its distribution")
        return _unpickled, self._read


def rule(text: str, /, dialect: str | None = None, **values: int) -> Rule:
    """Reads the one rule of a text, which may have definitions before it.

    The notation is recognised: Bones (``sum(drop low 1 4#d6)``), the notation of virtual tables (``4d6kh3``), or AnyDice
    (``output [highest 3 of 4d6]``). A ``dialect`` names another: ``bones``, ``tabletop``, ``anydice``, ``dicelab``, ``dicebag``, ``diceroller`` or ``onedice``.
    ``values`` are those of free names.

    >>> rule("d20 + bonus >= 15", bonus=5).solve()[True]
    Fraction(11, 20)
    >>> rule("4d6kh3").solve() == rule("sum(drop low 1 4#d6)").solve()
    True
    """
    found = rules(text, dialect)
    if len(found) != 1:
        from .errors import _plain

        number = "no rule" if not found else f"{len(found)} rules"
        raise _plain("parse", f"there are {number} in this text", "`dicedist.rules` reads several rules")
    return found[0].with_values(values) if values else found[0]


def rules(text: str, /, dialect: str | None = None) -> list[Rule]:
    """Reads all rules of a text. A rule may use the definitions before it.

    >>> [rule.name for rule in rules("plain: sum(3#d6); heroic: sum(drop low 1 4#d6)")]
    ['plain', 'heroic']
    """
    if not isinstance(text, str):
        raise TypeError(f"a rule is a text, and not {type(text).__name__}")
    found = _engine.read(text, dialect)
    return [Rule._of(one, (text, dialect, place, None, {})) for place, one in enumerate(found)]


def solve(
    text: str,
    /,
    dialect: str | None = None,
    *,
    time: float | None = 10,
    states: int | None = 2_000_000,
    memory: int | None = 2 << 30,
    outcomes: int = 10_000,
    tolerance: Fraction | float | str = "1e-12",
    sample: bool | int = False,
    ordered: bool = False,
    progress: _limits.Progress = None,
    **values: int,
) -> Dist:
    """The distribution of a rule: ``rule(text, dialect, **values).solve(…)`` in short.

    >>> solve("sum(drop low 1 4#d6)").at_least(18)
    Fraction(7, 432)
    """
    return rule(text, dialect, **values).solve(
        time=time,
        states=states,
        memory=memory,
        outcomes=outcomes,
        tolerance=tolerance,
        sample=sample,
        ordered=ordered,
        progress=progress,
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 70 else f"{line[:69]}…"


def _unpickled(
    text: str, dialect: str | None, place: int, result: int | None, values: dict[str, int]
) -> Rule:
    read = rules(text, dialect)[place]
    read = read.with_values(values) if values else read
    return read if result is None else read.results()[result]
