"""Expressions: what they say is what a list of all rolls says."""

from __future__ import annotations

import operator
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from enumeration import die as faces_of
from enumeration import mean, rolls

import dicedist
from dicedist import Condition, Dist, Number, Pool, d, die, faces, pool, record, repeat_until, share, weighted

SIX = faces_of(6)


def same(expression: dicedist.Expression, function: Any, *dice: Any) -> None:
    assert dict(expression.solve()) == rolls(function, *dice)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "floordiv", "mod", "ge", "le", "gt", "lt", "eq", "ne"])
def test_operators(name: str) -> None:
    of = getattr(operator, name)
    same(of(d(6), d(8)), of, SIX, faces_of(8))
    same(of(d(6), 3), lambda x: of(x, 3), SIX)
    same(of(3, d(6)), lambda x: of(3, x), SIX)
    same(of(d(6) - 4, 3), lambda x: of(x - 4, 3), SIX)
    same(of(d(6), Dist([1, 2])), of, SIX, [1, 2])


def test_a_place_is_a_roll() -> None:
    x = d(6)
    same(x + x, operator.add, SIX, SIX)
    same(x.share(lambda x: x + x), lambda x: 2 * x, SIX)


def test_pools() -> None:
    four = [SIX] * 4
    same(d(6).times(4).drop_lowest(1).sum(), lambda *x: sum(sorted(x)[1:]), *four)
    same(d(6).times(4).keep_lowest(2).sum(), lambda *x: sum(sorted(x)[:2]), *four)
    same(d(6).times(4).drop_highest(3).only(), lambda *x: min(x), *four)
    same(4 @ d(6), lambda *x: sum(x), *four)
    same(d(6).times(4), lambda *x: tuple(sorted(x)), *four)
    same(d(6).times(4).count_if(lambda x: x >= 5), lambda *x: sum(y >= 5 for y in x), *four)
    same(d(6).times(4).keep_if(lambda x: x >= 5).sum(), lambda *x: sum(y for y in x if y >= 5), *four)
    same(d(6).times(4).distinct().count(), lambda *x: len(set(x)), *four)
    same(d(6).times(4).largest_count(), lambda *x: max(Counter(x).values()), *four)
    same(d(6).times(4).ranked(2), lambda *x: sorted(x)[2], *four)
    same(d(6).times(4).product(), lambda a, b, c, d: a * b * c * d, *four)
    same(d(6).times(4).contains(6), lambda *x: 6 in x, *four)
    same(d(6).times(4).highest(), lambda *x: max(x), *four)
    same(pool([d(4), d(6), 3]).lowest(), lambda a, b: min(a, b, 3), faces_of(4), SIX)
    same((d(4).times(2) + [d(6)]).sum(), lambda *x: sum(x), faces_of(4), faces_of(4), SIX)
    same(
        d(6).times(2).without([6, 6]).count(),
        lambda *x: sum(y != 6 for y in x),
        SIX,
        SIX,
    )
    same(d(6).times(3).map(lambda x: x * x).sum(), lambda *x: sum(y * y for y in x), *four[:3])
    same(d(6).times(3).fold(0, lambda x, y: x * 2 + y), lambda a, b, c: 4 * a + 2 * b + c, *four[:3])
    same(
        d(6).times(2).compare(d(6).times(2)),
        lambda *x: (sorted(x[:2])[::-1] > sorted(x[2:])[::-1]) - (sorted(x[:2])[::-1] < sorted(x[2:])[::-1]),
        *four,
    )


def test_conditions() -> None:
    same((d(6) > 2) & (d(6) < 5), lambda x, y: x > 2 and y < 5, SIX, SIX)
    same((d(6) > 2) | (d(6) < 5), lambda x, y: x > 2 or y < 5, SIX, SIX)
    same((d(6) > 2) ^ (d(6) < 5), lambda x, y: (x > 2) != (y < 5), SIX, SIX)
    same(~(d(6) > 2), lambda x: x <= 2, SIX)
    same(d(6).between(2, 4), lambda x: 2 <= x <= 4, SIX)
    same((d(6) > 2).then(d(6), 0), lambda x, y: y if x > 2 else 0, SIX, SIX)
    same(3 @ (d(6) >= 5), lambda *x: sum(y >= 5 for y in x), *[SIX] * 3)
    same((d(6) >= 5) + (d(6) >= 3), lambda x, y: (x >= 5) + (y >= 3), SIX, SIX)
    assert (True & (d(6) > 2)).solve()[True] == Fraction(2, 3)


def test_conditions_have_no_traps() -> None:
    for wrong in (
        lambda: bool(d(6) == 6),
        lambda: 1 < d(6) < 5,
        lambda: d(6) >= 5 and d(6) < 3,
        lambda: not (d(6) > 3),
        lambda: d(6) in [1, 2],
        lambda: 3 in d(6).times(2),
        lambda: list(d(6).times(2)),
        lambda: len(d(6).times(2)),
        lambda: hash(d(6)),
        lambda: {d(6): 1},
        lambda: d(6).times(2) + 1,
        lambda: d(6) / 2,
        lambda: d(6) + 1.5,
        lambda: d(6) + "1",
        lambda: d(6) + None,
        lambda: d(6) + d(6).times(2),
        lambda: d(6.0),
        lambda: d("6"),
        lambda: (d(6) > 2) & 3,
        lambda: d(6).times(2) > 3,
        lambda: max(d(6), d(8)),
        lambda: sum(d(6).times(2)),
        lambda: d(6) == [1, 2],
        lambda: d(6) != None,  # noqa: E711
        lambda: d(6) == "1",
        lambda: (d(6) > 2) == "1",
        lambda: d(6).times(2) == [1, 2],
        lambda: d(6).times(2) != d(6).times(2),
        lambda: d(6).reroll(["1"]),
        lambda: Dist([d(6)]),
        lambda: Dist({dicedist.rule("d6"): 1}),
        lambda: Number(),
        lambda: Pool(),
        lambda: Condition(),
    ):
        with pytest.raises(TypeError) as raised:
            wrong()
        assert str(raised.value)


def test_dice() -> None:
    same(faces([1, 1, 6]), lambda x: x, [1, 1, 6])
    same(weighted({1: 2, 6: 1}), lambda x: x, [1, 1, 6])
    same(die(Dist([1, 1, 6])), lambda x: x, [1, 1, 6])
    assert d(d(6)).solve() == dicedist.solve("d(d6)")
    same(d(6).times(2).highest().map(lambda x: 10 - x), lambda x, y: 10 - max(x, y), SIX, SIX)
    same(d(6).map(lambda x: d(4) if x == 6 else x), lambda x, y: y if x == 6 else x, SIX, faces_of(4))
    same(d(6).map(lambda x: True if x == 6 else 0), lambda x: int(x == 6), SIX)
    same(d(6).reroll(1, once=True), lambda x, y: y if x == 1 else x, SIX, SIX)
    same(d(6).reroll(lambda x: x <= 2), lambda x: x, range(3, 7))
    same(d(6).reroll([1, 2]), lambda x: x, range(3, 7))
    same(d(6).explode([5, 6], most=1), lambda x, y: x + y if x >= 5 else x, SIX, SIX)
    assert d(6).explode().solve() == d(6).explode(6).solve()
    same(d(6).explode(6, most=1), lambda x, y: x + y if x == 6 else x, SIX, SIX)
    same(d(6).explode(6, most=0), lambda x: x, SIX)
    same(d(6).case({1: -1, range(2, 4): 0, (4, 5): 1}, 2), lambda x: {1: -1, 2: 0, 3: 0, 6: 2}.get(x, 1), SIX)
    same(d(6).max(d(4)), max, SIX, faces_of(4))
    same(d(6).min(3), lambda x: min(x, 3), SIX)
    same(abs(d(6) - d(6)), lambda x, y: abs(x - y), SIX, SIX)
    same(-d(6), operator.neg, SIX)


def test_cards() -> None:
    # Each pair of different cards is as likely as any other.
    pairs = Counter(a + b for a in range(1, 11) for b in range(1, 11) if a != b)
    wanted = {total: Fraction(count, 90) for total, count in pairs.items()}
    assert dict(pool(range(1, 11)).draw(2).sum().solve()) == dict(sorted(wanted.items()))


def test_given() -> None:
    even = d(6).share(lambda x: x.given(x % 2 == 0))
    assert dict(even.solve()) == {2: Fraction(1, 3), 4: Fraction(1, 3), 6: Fraction(1, 3)}


def test_records() -> None:
    dist = d(6).times(2).share(lambda x: record(sum=x.sum(), most=x.highest())).solve()
    assert {tuple(it): chance for it, chance in dist.items()} == rolls(lambda x, y: (x + y, max(x, y)), SIX, SIX)


def test_best_choice() -> None:
    # Keep what is above the mean of another roll, and roll again otherwise.
    twice = d(6).share(lambda x: pool([0, 1]).best(lambda again: (again == 1).then(d(6), x)))
    assert twice.solve().mean() == mean(rolls(lambda x, y: x if x >= 4 else y, SIX, SIX))


def test_loops() -> None:
    # At most three rounds of one die each: the first total of at least 3.
    rounds = repeat_until([0], lambda total: total >= 3, lambda total: [total + d(6)])
    assert rounds.count().solve().exactly(3) == Fraction(1, 36)
    total = rounds.then(lambda total: total).solve()
    assert sum(total.values()) == 1
    assert total.exactly(3) == Fraction(1, 6) + 2 * Fraction(1, 36) + Fraction(1, 216)
    with pytest.raises(dicedist.DicedistError, match="2 numbers"):
        repeat_until([1, 2], lambda a, b: a > 3, lambda a, b: [a])


def test_exceptions_of_functions_come_through() -> None:
    class Mine(Exception):
        pass

    def wrong(*_: Any) -> Any:
        raise Mine("here")

    three = d(6).times(3)
    for make in (
        lambda: d(6).share(wrong),
        lambda: d(6).map(wrong),
        lambda: d(6).explode(wrong),
        lambda: d(6).reroll(wrong),
        lambda: d(6).roll_while(wrong),
        lambda: three.share(wrong),
        lambda: three.map(wrong),
        lambda: three.flat_map(wrong),
        lambda: three.successors(wrong),
        lambda: three.count_if(wrong),
        lambda: three.keep_if(wrong),
        lambda: three.fold(0, wrong),
        lambda: three.best(wrong),
        lambda: three.best_part(wrong),
        lambda: repeat_until([1], wrong, lambda x: [x]),
        lambda: repeat_until([1], lambda x: x > 1, wrong),
        lambda: repeat_until([1], lambda x: x > 1, lambda x: [x + 1]).then(wrong),
        lambda: Dist(SIX).map(wrong),
        lambda: Dist(SIX).given(wrong),
        lambda: Dist(SIX).combine(Dist(SIX), wrong),
    ):
        with pytest.raises(Mine, match="here"):
            make()


def test_functions_must_give_what_is_wanted() -> None:
    for make in (
        lambda: d(6).share(lambda x: None),
        lambda: d(6).share(lambda x: 1.5),
        lambda: d(6).explode(lambda x: 1),
        lambda: d(6).explode(lambda x: x),
        lambda: d(6).times(3).map(lambda x: d(6).times(2)),
        lambda: d(6).times(3).count_if(lambda x: None),
        lambda: d(6).times(3).fold(0, lambda x: x),
        lambda: d(6).share(lambda: 1),
        lambda: d(6).map(lambda x: "text"),
    ):
        with pytest.raises(TypeError):
            make()


def test_what_a_distribution_has_is_named() -> None:
    with pytest.raises(AttributeError, match=r"x\.solve\(\)\.mean"):
        d(6).mean()
    assert not hasattr(d(6), "_repr_png_")


def test_the_highest_of_rolls() -> None:
    assert d(6).highest(4, 3).solve() == rolls(lambda *x: sum(sorted(x)[1:]), *[SIX] * 4)
    assert d(20).highest(2).solve() == rolls(max, faces_of(20), faces_of(20))
    assert d(20).lowest(3, 2).solve() == rolls(lambda *x: sum(sorted(x)[:2]), *[faces_of(20)] * 3)


def test_several_rolls_are_shared() -> None:
    with pytest.raises(TypeError, match="Pool"):
        share(lambda a, b: a > b, d(4), [d(6)])
    assert share(lambda: 5).solve() == {5: 1}
    won = share(lambda a, b, c: (a > b) + (a > c) + (a == a), d(4), d(6), d(8))
    assert won.solve() == rolls(lambda a, b, c: (a > b) + (a > c) + 1, faces_of(4), SIX, faces_of(8))
    kept = share(lambda pool, more: pool.keep_highest(more).sum() - more, [d(6), d(4)], d(2))
    assert kept.solve() == rolls(lambda a, b, c: (a + b if c == 2 else max(a, b)) - c, SIX, faces_of(4), faces_of(2))


def test_faces_that_are_no_whole_numbers() -> None:
    for symbols in (["hit", "miss"], [(1, 2)], [Fraction(1, 2)]):
        with pytest.raises(dicedist.DicedistError, match="whole numbers") as raised:
            die(symbols)
        assert "solve_as" not in str(raised.value)
