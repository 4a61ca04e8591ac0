"""Distributions: what they say is what a list of all rolls says."""

from __future__ import annotations

import copy
import math
import operator
import pickle
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from enumeration import die, mean, rolls

import dicedist
from dicedist import Dist, Interval, LimitError, Record, d

D4, D6, D8 = Dist(die(4)), Dist(die(6)), Dist(die(8))
AROUND = Dist(range(-3, 4))


@pytest.mark.parametrize("name", ["add", "sub", "mul"])
def test_arithmetic(name: str) -> None:
    of = getattr(operator, name)
    assert dict(of(D6, D8)) == rolls(of, die(6), die(8))
    assert dict(of(AROUND, D4)) == rolls(of, range(-3, 4), die(4))
    assert dict(of(D6, 3)) == rolls(lambda x: of(x, 3), die(6))
    assert dict(of(3, D6)) == rolls(lambda x: of(3, x), die(6))


@pytest.mark.parametrize("name", ["floordiv", "mod"])
def test_division_is_that_of_python(name: str) -> None:
    of = getattr(operator, name)
    assert dict(of(AROUND, D4)) == rolls(of, range(-3, 4), die(4))
    assert dict(of(AROUND, -2)) == rolls(lambda x: of(x, -2), range(-3, 4))
    assert dict(of(7, D6)) == rolls(lambda x: of(7, x), die(6))
    with pytest.raises((dicedist.DicedistError, ZeroDivisionError)):
        of(D6, AROUND)
    with pytest.raises((dicedist.DicedistError, ZeroDivisionError)):
        of(D6, 0)


def test_fractions() -> None:
    halves = D6 / 2
    assert dict(halves) == rolls(lambda x: Fraction(x, 2), die(6))
    assert [type(outcome) for outcome in halves][:2] == [Fraction, int]
    assert halves.at_least(Fraction(5, 2)) == halves.at_least(2.5) == Fraction(1, 3)
    assert halves.exactly(1.25) == 0
    assert dict(D4 / D6) == rolls(Fraction, die(4), die(6))
    assert halves + halves == (D6 + D6) / 2


def test_signs() -> None:
    assert dict(-D6) == rolls(operator.neg, die(6))
    assert dict(abs(AROUND)) == rolls(abs, range(-3, 4))
    assert +D6 is D6


def test_repeated() -> None:
    assert dict(3 @ D6) == rolls(lambda *dice: sum(dice), *[die(6)] * 3)
    assert D6.times(0) == Dist([0])
    assert dict(D4 @ D6) == dict(dicedist.solve("sum((d4)#d6)"))
    assert (1000 @ D6).mean() == 3500


def test_the_higher_and_the_lower() -> None:
    assert dict(D6.highest_of(D8)) == rolls(max, die(6), die(8))
    assert dict(D6.lowest_of(3)) == rolls(lambda x: min(x, 3), die(6))


@pytest.mark.parametrize("name", ["at_least", "at_most", "more_than", "less_than", "exactly"])
def test_comparisons(name: str) -> None:
    of = {"at_least": operator.ge, "at_most": operator.le, "more_than": operator.gt, "less_than": operator.lt}.get(
        name, operator.eq
    )
    question = getattr(Dist, name)
    for bound in range(-1, 9):
        assert question(D6, bound) == Fraction(sum(of(x, bound) for x in die(6)), 6)
    assert question(D6, D8) == rolls(of, die(6), die(8))[True]
    assert question(D6, Fraction(7, 2)) == Fraction(sum(of(x, 3.5) for x in die(6)), 6)


def test_figures() -> None:
    sums = rolls(lambda *dice: sum(sorted(dice)[1:]), *[die(6)] * 4)
    dist = dicedist.solve("4d6kh3")
    assert dict(dist) == sums
    assert dist.mean() == mean(sums)
    variance = mean({x: chance for x, chance in sums.items()}) ** 2
    variance = sum((x * x * chance for x, chance in sums.items()), Fraction(0)) - variance
    assert dist.variance() == variance
    assert math.isclose(dist.stdev(), math.sqrt(variance))
    assert dist.mode() == [13]
    assert (dist.min(), dist.max()) == (3, 18)
    for wanted in (Fraction(1, 100), 0.25, 0.5, 0.999, 1):
        below = Fraction(0)
        for outcome, chance in sums.items():
            below += chance
            if below >= Fraction(str(wanted)):
                break
        assert dist.quantile(wanted) == outcome
    with pytest.raises(ValueError, match="above 0"):
        dist.quantile(0)
    assert dist.between(9, 12) == sum(sums[x] for x in range(9, 13))
    assert dist.between(12, 9) == 0


def test_versus() -> None:
    duel = D6.versus(D8)
    chances = rolls(lambda a, b: (a > b) - (a < b), die(6), die(8))
    assert (duel.b_wins, duel.tie, duel.a_wins) == tuple(chances.values())
    assert duel.mean_difference == Fraction(-1)
    assert duel.dominance == "b"
    assert D6.versus(Dist([3, 4])).dominance == "neither"
    assert D6.versus(Dist(die(6))).dominance == "equal"


def test_it_is_a_mapping() -> None:
    assert isinstance(D6, Mapping)
    assert list(D6) == list(D6.keys()) == [1, 2, 3, 4, 5, 6]
    assert D6[1.0] == Fraction(1, 6)
    assert D6.get(7) is None
    assert 7 not in D6
    assert [1] not in D6
    assert sum(D6.values()) == 1
    with pytest.raises(KeyError):
        D6[7]
    assert {**D4} == dict(D4)
    assert D6.weights() == dict.fromkeys(die(6), 1)
    assert Dist({1: 2, 2: 4}).weights() == {1: 1, 2: 2}


def test_equal_distributions_are_equal() -> None:
    assert Dist([1, 2, 2]) == Dist({1: Fraction(1, 3), 2: Fraction(2, 3)}) == {1: Fraction(1, 3), 2: Fraction(2, 3)}
    assert hash(Dist([1, 2, 2])) == hash(Dist({1: 2, 2: 4}))
    assert D6 != D8
    assert D6 != 6
    assert len({D6, Dist(die(6)), d(6).solve(), dicedist.solve("d6")}) == 1
    texts = [dicedist.solve('case d6 {..3: "no", 4..: "yes"}'), Dist(["yes", "no"])]
    assert texts[0] == texts[1]
    assert hash(texts[0]) == hash(texts[1])


@pytest.mark.parametrize(
    "make",
    [
        lambda: D6,
        lambda: D6 / 7,
        lambda: Dist([True, False, True]),
        lambda: Dist({"ü": 1, "": 2, "🎲": 3}),
        lambda: Dist({(1, 2): 1, (1,): 2, (): 1}),
        lambda: Dist([Record(hits=1, name="x"), Record(hits=2, name="y")]),
        lambda: dicedist.solve('case d20 {1: "fumble", 2..19: "middling", 20: "crit"}'),
        lambda: dicedist.solve("2#d6"),
        lambda: d(6).explode(6).solve(),
        lambda: d(2).roll_while(lambda x: x == 2).solve(),
        lambda: dicedist.solve("d20 >= 11"),
        lambda: 200 @ D6,
        lambda: Dist({1: 10**400, 2: 1}),
        lambda: Dist([10**300, -(10**300)]),
    ],
)
def test_pickles(make: Any) -> None:
    dist = make()
    back = pickle.loads(pickle.dumps(dist))
    assert back == dist
    assert list(back) == list(dist)
    assert repr(back) == repr(dist)
    assert back.is_exact == dist.is_exact
    assert (back.above, back.below, back.unresolved) == (dist.above, dist.below, dist.unresolved)
    assert copy.copy(dist) is dist
    assert copy.deepcopy(dist) is dist


def test_other_pickles() -> None:
    rule = dicedist.rule("sum(n#d6)", n=3)
    assert pickle.loads(pickle.dumps(rule)).solve() == rule.solve()
    sweep = dicedist.sweep("sum(n#d6)", n=[1, 2])
    assert dict(pickle.loads(pickle.dumps(sweep))) == dict(sweep)
    both = dicedist.compare(a="d6", b="d8")
    assert dict(pickle.loads(pickle.dumps(both))) == dict(both)
    interval = Interval(0, Fraction(1, 2))
    assert pickle.loads(pickle.dumps(interval)) == interval
    program = dicedist.rule("output d6 output d8").results()[1]
    assert pickle.loads(pickle.dumps(program)).solve() == D8
    for kept in (d(6), d(6).rule()):
        with pytest.raises(TypeError, match="pickle its distribution"):
            pickle.dumps(kept)


def test_images() -> None:
    assert dict(D6.map(lambda x: x % 3)) == rolls(lambda x: x % 3, die(6))
    assert dict(D6.map(lambda x: D4 if x == 1 else x)) == dict(
        rolls(lambda x, y: y if x == 1 else x, die(6), die(4))
    )
    assert dict(D6.combine(D8, pow)) == rolls(pow, die(6), die(8))
    assert D6.map(lambda x: (x, "high" if x > 3 else "low"))[6, "high"] == Fraction(1, 6)
    assert D6.map(lambda x: x > 4) == Dist({True: 1, False: 2})
    assert dict(D6.given(lambda x: x > 4)) == {5: Fraction(1, 2), 6: Fraction(1, 2)}
    with pytest.raises(dicedist.DicedistError, match="never holds"):
        D6.given(lambda x: x > 6)


def test_records() -> None:
    dist = dicedist.solve("let x = 3#d6 in {sum: sum x, sixes: count ==6 x}")
    wanted = rolls(lambda *dice: (sum(dice), dice.count(6)), *[die(6)] * 3)
    assert {tuple(record): chance for record, chance in dist.items()} == wanted
    assert dist.fields == ("sum", "sixes")
    assert dist.part("sixes") == dicedist.solve("count ==6 3#d6")
    assert dist[18, 3] == dist[Record(sum=18, sixes=3)] == Fraction(1, 216)


def test_what_is_not_exact_says_so() -> None:
    endless = d(6).explode(6).solve()
    assert not endless.is_exact
    assert endless.above is not None
    assert sum(endless.values()) + endless.tail + endless.unresolved == 1
    assert "not listed" in endless._repr_html_()
    assert "or more" in repr(endless)
    assert endless.mean() == Fraction(21, 5)
    # By hand: one over 6 in the first roll, then five more rolls that are all sixes but the last.
    assert endless.at_least(13) == Fraction(1, 36)
    beyond = endless.above[0]
    chance = endless.exactly(beyond)
    assert isinstance(chance, Interval)
    assert Fraction(1, 6) ** (beyond // 6 + 1) in chance


def test_rolls_that_never_end() -> None:
    # A one is followed by a one.
    never = dicedist.solve("while x = d2 do if x == 1 then 1 else ()")
    assert never.never_ends == Fraction(1, 2)
    assert "never ends" in never._repr_html_()
    assert "never ends" in repr(never)
    assert never[2] == Fraction(1, 2)


def test_a_figure_of_which_nothing_is_known_is_not_shown() -> None:
    rest = d(6).explode(6).solve() % 5
    assert rest.mean() == Interval(-math.inf, math.inf)
    assert "inf" not in repr(rest)
    assert "inf" not in rest._repr_html_().split("<img")[0]


def test_sampled() -> None:
    sampled = dicedist.solve("sum(high 2 5#d10)", states=1, sample=7)
    assert sampled.is_sampled
    assert sampled.sampling is not None
    assert sampled.sampling.seed == 7
    assert all(isinstance(chance, (Interval, Fraction)) for chance in sampled.values())
    assert "random rolls" in sampled._repr_html_()
    assert "sampled" in repr(sampled)
    with pytest.raises(TypeError, match="seed"):
        pickle.dumps(sampled)
    with pytest.raises(dicedist.DicedistError, match="sampled"):
        sampled.map(lambda x: x)


def test_random_rolls() -> None:
    rolled = D6.roll(6000, seed=3)
    assert set(rolled) == set(die(6))
    assert rolled == D6.roll(6000, seed=3)
    # Six standard deviations around the mean of each count.
    assert all(abs(rolled.count(face) - 1000) < 6 * math.sqrt(6000 * 5 / 36) for face in die(6))
    assert D6.roll() in D6


def test_the_shape() -> None:
    """A coin with the chance 1/4: skewness (1 - 2p) / sqrt(pq), excess kurtosis (1 - 6pq) / pq. A die of n faces: -6/5 (n² + 1)/(n² - 1)."""
    coin = Dist([1, 0, 0, 0])
    assert math.isclose(coin.skewness(), Fraction(1, 2) / math.sqrt(Fraction(3, 16)))
    assert coin.excess_kurtosis() == (1 - Fraction(18, 16)) / Fraction(3, 16)
    assert Dist(range(1, 21)).excess_kurtosis() == Fraction(-6 * 401, 5 * 399)
    assert math.isnan(Dist([5]).skewness())
    assert Dist([True, False]).skewness() == 0


def test_long_figures_are_in_lowest_terms() -> None:
    """Over a total of three times a power of 2 that has more than half a million bits: the mean of 0 and 3 loses the factor 3."""
    power = 1 << 530_000
    dist = Dist({0: 1, 3: 3 * power - 1})
    assert dist.mean() == Fraction(3 * power - 1, power)
    assert (dist.mean().numerator, dist.mean().denominator) == (3 * power - 1, power)  # type: ignore[union-attr]


def test_limits_of_arithmetic() -> None:
    """An operator has no place for a limit, so the help names one."""
    with pytest.raises(LimitError) as raised:
        Dist([0, 1]).times(530_000)
    assert raised.value.limit == "memory"
    assert raised.value.help is not None and "die(" in raised.value.help
