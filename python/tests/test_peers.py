"""What users of icepool and dyce do there, done here: the answers are those of the peers, and of a formula or a list of all rolls.

The questions are those of icepool's documentation and examples, in words of our own. Without icepool the formulas are compared with alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import groupby
from math import comb
from typing import Any

import pytest
from enumeration import die as faces_of
from enumeration import rolls

import dicedist
from dicedist import Dist, d, die, pool, repeat_until

try:
    import icepool
except ImportError:
    icepool = None  # type: ignore[assignment]
try:
    import dyce
except ImportError:
    dyce = None

needs_icepool = pytest.mark.skipif(icepool is None, reason="icepool is not installed")
needs_dyce = pytest.mark.skipif(dyce is None, reason="dyce is not installed")

D6 = faces_of(6)


def binomial(n: int, p: Fraction) -> dict[int, Fraction]:
    return {k: comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)}


def longest_run(faces: tuple[int, ...]) -> int:
    """The length of the longest run of consecutive faces."""
    ranks = [face - place for place, face in enumerate(sorted(set(faces)))]
    return max(len(list(run)) for _, run in groupby(ranks))


def shape_of(faces: tuple[int, ...]) -> tuple[int, ...]:
    """How often the two commonest faces show."""
    counts = sorted(Counter(faces).values(), reverse=True)
    return counts[0], counts[1] if len(counts) > 1 else 0


def risk(*dice: int) -> int:
    """How many armies the defender loses: three dice against two."""
    attack, defence = sorted(dice[:3], reverse=True), sorted(dice[3:], reverse=True)
    return sum(a > b for a, b in zip(attack, defence, strict=False))


# Each question: ours, icepool's, and by a formula or a list.


def ability() -> Any:
    return d(6).times(4).drop_lowest(1).sum()


def advantage() -> Any:
    return d(20).times(2).highest()


def crit() -> Any:
    return d(20).map(lambda roll: 2 @ d(8) + 3 if roll == 20 else d(8) + 3 if roll >= 10 else 0)


def crit_there() -> Any:
    d8 = icepool.d(8)
    return icepool.d(20).map(lambda roll: 2 @ d8 + 3 if roll == 20 else d8 + 3 if roll >= 10 else 0)


def crit_listed() -> dict[int, Fraction]:
    return rolls(lambda a, b, c: b + c + 3 if a == 20 else b + 3 if a >= 10 else 0, faces_of(20), faces_of(8), faces_of(8))


def run_of_dice() -> Any:
    """From each face on, a run goes as far as the next face shows."""

    def longest(dice: dicedist.Pool) -> Any:
        lengths = []
        for first in range(1, 7):
            run: Any = 0
            for last in range(6, first - 1, -1):
                run = dice.contains(last).then(1 + run, 0)
            lengths.append(run)
        return pool(lengths).highest()

    return d(6).times(4).share(longest)


def run_there() -> Any:
    return icepool.d(6).pool(4).largest_straight()


def full_house() -> Any:
    def judge(dice: dicedist.Pool) -> Any:
        counts = dice.distinct().map(lambda face: dice.count_if(lambda x: x == face))
        return counts.share(lambda counts: (counts.count() == 2) & (counts.highest() == 3))

    return d(6).times(5).share(judge)


def full_house_there() -> Any:
    return icepool.map(lambda *faces: shape_of(faces) == (3, 2), *[icepool.d(6)] * 5)


def race() -> Any:
    """How many rolls a coin needs to show three heads, stopped after eight."""
    state = repeat_until(
        [0, 0], lambda heads, tosses: (heads >= 3) | (tosses >= 8), lambda heads, tosses: [heads + d(2) - 1, tosses + 1]
    )
    return state.then(lambda heads, tosses: tosses)


def race_listed() -> dict[int, Fraction]:
    chances = {n: comb(n - 1, 2) * Fraction(1, 2**n) for n in range(3, 8)}
    return {**chances, 8: 1 - sum(chances.values())}


def race_there() -> Any:
    def toss(heads: int, tosses: int) -> Any:
        if heads >= 3 or tosses >= 8:
            return heads, tosses
        return icepool.tupleize(heads + icepool.coin(1, 2), tosses + 1)

    return icepool.map(toss, (0, 0), repeat=8).marginals[1]


def capped_explosion() -> Any:
    return d(6).explode(6, most=2)


EXAMPLES: dict[str, tuple[Callable[[], Any], Callable[[], Any] | None, Callable[[], Any]]] = {
    "the best three of four": (
        ability,
        lambda: icepool.d(6).highest(4, 3),
        lambda: rolls(lambda *x: sum(sorted(x)[1:]), *[D6] * 4),
    ),
    "advantage": (
        advantage,
        lambda: icepool.d(20).highest(2),
        lambda: {k: Fraction(2 * k - 1, 400) for k in faces_of(20)},
    ),
    "an attack with a critical hit": (crit, crit_there, crit_listed),
    "a pool of successes": (
        lambda: d(6).times(8).count_if(lambda x: x >= 5),
        lambda: 8 @ (icepool.d(6) >= 5),
        lambda: binomial(8, Fraction(1, 3)),
    ),
    "a sum of many dice": (
        lambda: 20 @ d(6),
        lambda: 20 @ icepool.d(6),
        lambda: {
            total: Fraction(
                sum((-1) ** k * comb(20, k) * comb(total - 6 * k - 1, 19) for k in range((total - 20) // 6 + 1)), 6**20
            )
            for total in range(20, 121)
        },
    ),
    "dice of several sizes": (
        lambda: pool([d(4), d(6), d(8), d(10)]).keep_highest(2).sum(),
        lambda: icepool.Pool([icepool.d(n) for n in (4, 6, 8, 10)]).highest(2).sum(),
        lambda: rolls(lambda *x: sum(sorted(x)[2:]), *map(faces_of, (4, 6, 8, 10))),
    ),
    "one reroll of low dice": (
        lambda: 2 @ d(6).reroll(lambda x: x <= 2, once=True),
        lambda: 2 @ icepool.d(6).reroll([1, 2], depth=1),
        lambda: rolls(lambda a, b, c, e: (b if a <= 2 else a) + (e if c <= 2 else c), *[D6] * 4),
    ),
    "an explosion with an end": (
        capped_explosion,
        lambda: icepool.d(6).explode(depth=2),
        lambda: rolls(lambda a, b, c: a + (b if a == 6 else 0) + (c if a == b == 6 else 0), *[D6] * 3),
    ),
    "a die with symbols as numbers": (
        lambda: die({0: 3, 1: 2, 2: 1}).times(4).sum(),
        lambda: 4 @ icepool.Die({0: 3, 1: 2, 2: 1}),
        lambda: rolls(lambda *x: sum(x), *[[0, 0, 0, 1, 1, 2]] * 4),
    ),
    "the largest set": (
        lambda: d(6).times(5).largest_count(),
        lambda: icepool.d(6).pool(5).largest_count(),
        lambda: rolls(lambda *x: max(Counter(x).values()), *[D6] * 5),
    ),
    "the longest run": (run_of_dice, run_there, lambda: rolls(lambda *x: longest_run(x), *[D6] * 4)),
    "a full house": (full_house, full_house_there, lambda: rolls(lambda *x: shape_of(x) == (3, 2), *[D6] * 5)),
    "cards of one suit": (
        lambda: pool(range(52)).draw(5).count_if(lambda card: card < 13),
        lambda: icepool.Deck(range(52)).deal(5).keep_outcomes(range(13)).size(),
        lambda: {k: Fraction(comb(13, k) * comb(39, 5 - k), comb(52, 5)) for k in range(6)},
    ),
    "three armies against two": (
        lambda: d(6).times(3).share(
            lambda a: d(6).times(2).share(
                lambda b: (a.ranked(1) > b.ranked(1)) + (a.ranked(2) > b.ranked(2))
            )
        ),
        lambda: icepool.d(6).pool(3).highest(2).sort_pair(">", icepool.d(6).pool(2)).size(),
        lambda: rolls(risk, *[D6] * 5),
    ),
    "a race for three heads": (race, race_there, race_listed),
    "one die against another": (
        lambda: d(8).share(lambda a: d(6).share(lambda b: (a > b) - (a < b))),
        lambda: icepool.map(lambda a, b: (a > b) - (a < b), icepool.d(8), icepool.d(6)),
        lambda: rolls(lambda a, b: (a > b) - (a < b), faces_of(8), D6),
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_by_formula(name: str) -> None:
    ours, _, formula = EXAMPLES[name]
    wanted = {key: chance for key, chance in formula().items() if chance}
    assert dict(ours().solve()) == wanted


@needs_icepool
@pytest.mark.parametrize("name", EXAMPLES)
def test_example_by_icepool(name: str) -> None:
    ours, theirs, _ = EXAMPLES[name]
    assert theirs is not None
    found = Dist.from_icepool(theirs())
    assert {int(key): chance for key, chance in found.items()} == {
        int(key): chance for key, chance in ours().solve().items()
    }


@needs_icepool
def test_from_and_to_icepool() -> None:
    there = icepool.d(6).highest(4, 3)
    here = dicedist.solve("4d6kh3")
    assert Dist.from_icepool(there) == here
    assert here.to_icepool() == there
    assert die(there).times(2).sum().solve() == Dist.from_icepool(2 @ there)
    pairs = icepool.tupleize(icepool.d(2), icepool.d(3))
    assert Dist.from_icepool(pairs)[1, 3] == Fraction(1, 6)
    texts = icepool.Die({"hit": 1, "miss": 2})
    assert Dist.from_icepool(texts).to_icepool() == texts
    with pytest.raises(ValueError, match="exact"):
        d(6).explode(6).solve().to_icepool()
    with pytest.raises(TypeError, match="needed"):
        Dist.from_icepool(6)


@needs_dyce
def test_from_and_to_dyce() -> None:
    there = 3 @ dyce.H(6)
    here = (3 @ d(6)).solve()
    assert Dist.from_dyce(there) == here
    assert here.to_dyce() == there
    assert die(there).solve() == here
    with pytest.raises(TypeError, match="needed"):
        Dist.from_dyce([1, 2])


@needs_dyce
def test_the_same_answers_as_dyce() -> None:
    rolled = dyce.P(6, 6, 6, 6).rolls_with_counts()
    there = dyce.H.from_counts((sum(roll[1:]), count) for roll, count in rolled)
    assert Dist.from_dyce(there) == dicedist.solve("4d6kh3")
    assert Dist.from_dyce(dyce.H(6).ge(5)) == d(6).times(1).count_if(lambda x: x >= 5).solve()
    assert Dist.from_dyce(dyce.H((1, 2, 2)) * dyce.H(4)) == Dist([1, 2, 2]) * Dist(range(1, 5))
