"""Odd arguments end in an exception that says what is wrong, and never in a crash or in a wrong answer."""

from __future__ import annotations

import enum
import gc
import math
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import dicedist
from dicedist import DicedistError, Dist, Interval, Record, d, faces, pool, record, weighted

#: Longer than the engine's numbers may be.
HUGE = 10**20_000


class Odd:
    """Whatever is asked of it fails."""

    def __index__(self) -> int:
        raise RuntimeError("odd")

    def __hash__(self) -> int:
        return 1


class Text(str):
    __slots__ = ()


class Whole(int):
    def __repr__(self) -> str:
        return "whole"


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


class Lying(Fraction):
    """Its parts are none."""

    @property
    def denominator(self) -> int:
        return 0


def nested(levels: int) -> tuple[Any, ...]:
    """A tuple in a tuple, so many times."""
    inner: tuple[Any, ...] = (1,)
    for _ in range(levels):
        inner = (inner,)
    return inner


@pytest.mark.parametrize(
    "make",
    [
        lambda: Dist([nested(100_000)]),
        lambda: Dist([1]).exactly(nested(100_000)) or Dist([]),
        lambda: pool(range(-(10**30), 10**30)),
        lambda: Dist([Lying(1, 2)]),
        lambda: Dist([1, 2]).at_least(Lying(1, 2)),
        lambda: Dist([1, 2]).quantile(Lying(1, 2)),
        lambda: dicedist.solve("d6", tolerance=Lying(1, 2)),
        lambda: Dist([1, 2]).to_table(digits=10**9),
        lambda: Dist([1, 2]).to_table(digits=65_536),
        lambda: Dist([1, 2]).to_table(width=10**9),
        lambda: Dist([1, 2]).to_table(digits=None),
        lambda: dicedist.sweep(lambda n: d(n), n=[6]).to_table(digits=10**9),
        lambda: Dist([]),
        lambda: Dist({}),
        lambda: Dist({1: 0}),
        lambda: Dist({1: -1, 2: 2}),
        lambda: Dist({1: 0.5}),
        lambda: Dist({1: math.nan}),
        lambda: Dist({1: "1"}),
        lambda: Dist({1: None}),
        lambda: Dist([1.0]),
        lambda: Dist([math.nan]),
        lambda: Dist([None]),
        lambda: Dist([object()]),
        lambda: Dist([[1, 2]]),
        lambda: Dist([((1, 2), 3)]),
        lambda: Dist([b"bytes"]),
        lambda: Dist(["a", Fraction(1, 2)]),
        lambda: Dist([Record(a=1), Record(b=1)]),
        lambda: Dist([Record(a=1), 1]),
        lambda: Dist("abc"),
        lambda: Dist(6),
        lambda: Dist(None),
        lambda: Dist([Odd()]),
        lambda: Dist([HUGE]),
        lambda: Dist([Fraction(1, HUGE)]),
        lambda: d(HUGE),
        lambda: d(6) + HUGE,
        lambda: d(0).solve(),
        lambda: d(-1).solve(),
        lambda: d(6).times(-1).solve(),
        lambda: d(6).times(10**30).sum().solve(),
        lambda: d(6).times(3).draw(-1).solve(),
        lambda: pool([]).highest().solve(),
        lambda: pool([1, 2]).only().solve(),
        lambda: pool({1: 2}),
        lambda: pool("abc"),
        lambda: pool(6),
        lambda: faces([]),
        lambda: faces([1.5]),
        lambda: faces(["a"]),
        lambda: faces([(1, 2)]),
        lambda: faces([Fraction(1, 2)]).times(2).sum().solve() + "",
        lambda: weighted({}),
        lambda: weighted({1: -1}),
        lambda: record(),
        lambda: d(6).case({range(1, 5, 2): 1}, 0),
        lambda: d(6).case({(1, 2, 3): 1}, 0),
        lambda: d(6).case({HUGE: 1}, 0),
        lambda: d(6).explode(6, most=-1),
        lambda: dicedist.solve(""),
        lambda: dicedist.solve("   "),
        lambda: dicedist.solve("\0"),
        lambda: dicedist.solve("d6\ud800"),
        lambda: dicedist.solve(None),
        lambda: dicedist.solve(b"d6"),
        lambda: dicedist.solve("d6", 7),
        lambda: dicedist.solve("n#d6", n=1.5),
        lambda: dicedist.solve("n#d6", n="1"),
        lambda: dicedist.solve("n#d6", n=HUGE),
        lambda: dicedist.solve("n#d6", n=None),
        lambda: dicedist.solve("d6", nonsense=1),
        lambda: dicedist.solve("(" * 200_000 + "d6" + ")" * 200_000 + "("),
        lambda: dicedist.solve("1" * 10_000_000),
        lambda: dicedist.rule("d6").roll(-1),
        lambda: dicedist.rule("d6").roll("1"),
        lambda: dicedist.rule("d6").roll(1, seed=-1),
        lambda: dicedist.rule("d6").roll(1, seed=1 << 64),
        lambda: dicedist.sweep("n#d6"),
        lambda: dicedist.sweep("n#d6", n=[]),
        lambda: dicedist.sweep("n#d6", n="123"),
        lambda: dicedist.sweep("n#d6", n=[1.5]),
        lambda: dicedist.sweep("n#d6", m=[1]),
        lambda: dicedist.compare({}),
        lambda: dicedist.compare(None),
        lambda: dicedist.solve("d6", sample="yes"),
        lambda: dicedist.compare({"a": 6}),
        lambda: dicedist.compare([6]),
        lambda: Dist([1]).times(-1),
        lambda: Dist([1]).times(1.5),
        lambda: Dist([1]).times(1 << 40),
        lambda: Dist([1]).quantile(math.nan),
        lambda: Dist([1]).quantile(2),
        lambda: Dist([1]).quantile(-1),
        lambda: Dist([1]).quantile("x"),
        lambda: Dist([1]).at_least(math.nan),
        lambda: Dist([1]).at_least(math.inf),
        lambda: Dist([1]).at_least("x"),
        lambda: Dist([1]).at_least(None),
        lambda: Dist(["a"]).at_least(1),
        lambda: Dist(["a"]).mean(),
        lambda: Dist(["a"]) + 1,
        lambda: Dist(["a"]).versus(1),
        lambda: Dist([(1, 2)]) * 2,
        lambda: Dist([1]) + 1.5,
        lambda: Dist([1]) + "1",
        lambda: Dist([1]) + None,
        lambda: Dist([1]) / 0,
        lambda: Dist([1]) / "1",
        lambda: Dist([1]) % 0,
        lambda: Dist([1]).map(lambda x: 1.5),
        lambda: Dist([1]).map(lambda x: [x]),
        lambda: Dist([1]).map(None),
        lambda: Dist([1]).given(None),
        lambda: Dist([1]).part("a"),
        lambda: Dist([1]).roll(1.5),
        lambda: bool(Dist([1])),
        lambda: Dist([1]) < Dist([2]),
        lambda: Dist([10**19_000]) * Dist([10**19_000]),
        lambda: float(Interval(0, 1)),
        lambda: Interval(1, 0),
        lambda: Interval(math.nan, 1),
        lambda: Interval(0, 1) < Fraction(1, 2),
        lambda: Interval(0, 1) + "1",
        lambda: 1 / Interval(0, 1),
        lambda: Dist([1]).to_table(digits=-1),
        lambda: Dist([1]).to_table(digits=HUGE),
        lambda: Dist([1]).to_table(width=-1),
        lambda: Dist([1]).to_table(view="nonsense"),
        lambda: Dist([1]).to_svg(view=None),
    ],
)
def test_an_exception_says_so(make: Any) -> None:
    with pytest.raises((DicedistError, TypeError, ValueError, KeyError, ZeroDivisionError, OverflowError, RuntimeError)) as raised:
        make()
    text = str(raised.value)
    assert text
    assert len(text) < 5_000
    assert "Rule::" not in text
    assert not isinstance(raised.value, dicedist.InternalError)


def test_subclasses() -> None:
    assert Dist([True, Whole(2)]) == Dist([1, 2])
    assert Dist([Text("a")])["a"] == 1
    assert Dist([Colour.RED, Colour.BLUE]) == Dist([1, 2])
    assert (d(Whole(6)) + True).solve() == d(6).solve() + 1
    assert dicedist.solve(Text("n#d6"), n=Whole(1)) == dicedist.solve("1#d6")
    assert Dist({1: Fraction(1, 3), 2: Fraction(2, 3)}) == Dist({1: True, 2: Whole(2)})
    assert Dist([1]).at_least(True) == Dist([1]).at_least(Decimal("0.5")) == 1

    class Mine(Dist):
        pass

    assert Mine([1, 2]) == Dist([1, 2])


def test_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    six = numpy.int64(6)
    assert d(six).solve() == d(6).solve()
    assert Dist(numpy.arange(1, 7)) == d(6).solve()
    assert Dist({numpy.int8(1): numpy.uint16(3)}) == Dist([1])
    assert d(6).solve().at_least(numpy.float64(2.5)) == Fraction(2, 3)
    assert (d(6) + six).solve().min() == 7
    assert (six + d(6)).solve().min() == 7
    assert (six * Dist([1, 2])) == Dist([6, 12])
    assert (Dist([1, 2]) + numpy.int32(3)) == Dist([4, 5])
    assert dicedist.solve("n#d6", n=numpy.int16(1)) == dicedist.solve("1#d6")
    assert dicedist.sweep("sum(n#d6)", n=numpy.array([1, 2]))[2].mean() == 7
    assert d(6).solve().quantile(numpy.float32(0.5)) == 3
    assert d(6).solve()[numpy.int64(3)] == Fraction(1, 6)
    with pytest.raises(TypeError):
        Dist(numpy.array([1.5]))
    with pytest.raises(TypeError):
        d(numpy.float64(6))


def test_long_numbers_are_exact() -> None:
    big = 10**300
    dist = Dist({big: 1, -big: 2})
    assert dist.mean() == Fraction(-big, 3)
    assert (dist + dist)[0] == Fraction(4, 9)
    assert dist.at_least(big) == Fraction(1, 3)
    assert math.isinf(Dist([10**1000, 0]).stdev()) or Dist([10**1000, 0]).stdev() > 0
    assert isinstance(repr(Dist([10**1000, 0])), str)
    longer = Dist([10**5000, Fraction(1, 3)])
    for shown in (repr(longer), longer._repr_html_(), dicedist.compare(a=longer)._repr_html_()):
        assert "long" in shown
    assert isinstance((10_000 @ Dist([0, 1])).to_pandas() if _has_pandas() else 0, object)


def _has_pandas() -> bool:
    try:
        import pandas  # noqa: F401
    except ImportError:
        return False
    return True


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "a & b", '"quoted"', "日本語🎲", "a\nb", "'", "]]>", "‮evil"])
def test_texts_are_escaped(text: str) -> None:
    dist = Dist({text: 1, "other": 2}).named(text)
    for shown in (dist._repr_html_(), dicedist.compare({text: dist})._repr_html_(), dist.to_svg()):
        assert "<script" not in shown
    assert dist[text] == Fraction(1, 3)
    assert text in dist
    for write in (str, Dist.to_json, Dist.to_csv, Dist.to_markdown):
        assert write(dist)


def test_deep_expressions() -> None:
    """Thousands of operators in each other neither crash nor overflow the stack."""
    code = """
import dicedist
from dicedist import d
x = d(2)
for _ in range(20000):
    x = x + 1
try:
    print(x.solve(time=20).min())
except (dicedist.DicedistError, RecursionError) as error:
    print(type(error).__name__, len(str(error)))
y = d(2)
try:
    for _ in range(400):
        y = (y > 1).then(y, 0)
except (dicedist.DicedistError, RecursionError) as error:
    print(type(error).__name__)
del x, y
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_reentrant_functions() -> None:
    def solve_within(x: Any) -> Any:
        assert dicedist.solve("d6").mean() == Fraction(7, 2)
        return x + d(6).share(lambda y: y + x)

    assert d(6).share(solve_within).solve() == d(6).share(lambda x: x + x + d(6)).solve()


def test_what_escapes_from_a_function() -> None:
    """A shared value that is used outside of its function is an error of the rule, and no crash."""
    kept: list[Any] = []
    d(6).share(lambda x: kept.append(x) or x)
    with pytest.raises(DicedistError):
        kept[0].solve()


def test_memory_is_given_back() -> None:
    resource = pytest.importorskip("resource")
    rule = dicedist.rule("sum(drop low 1 10#d10)")

    def work() -> None:
        for _ in range(300):
            dist = rule.solve()
            dist.map(lambda x: x % 7)._repr_html_()
            d(6).times(4).share(lambda x: x.sum() + x.highest()).solve()

    work()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000
