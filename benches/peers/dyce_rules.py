"""The rules of the comparison for dyce: histograms (H) where the dice are independent, pools (P) where they are not.

Questions about a whole pool go through `rolls_with_counts`, which lists every multiset; dyce has nothing that sees a
pool face by face.
"""

import warnings
from fractions import Fraction
from itertools import groupby

from dyce import H, P, expand
from measure import main

warnings.filterwarnings("ignore", message=".*experimental.*")


def of_rolls(pool, question):
    """A question about each roll of a pool."""
    return H.from_counts((question(roll), count) for roll, count in pool.rolls_with_counts())


def sizes(roll):
    """How often each face shows."""
    return [(face, len(list(dice))) for face, dice in groupby(roll)]


def straight(roll):
    """The length of the longest run of faces."""
    best = run = 0
    last = None
    for face, _ in groupby(roll):
        run = run + 1 if last is not None and face == last + 1 else 1
        best, last = max(best, run), face
    return best


def pairs(left, right, question):
    """A question about two pools."""
    others = list(right.rolls_with_counts())
    return H.from_counts(
        (question(a, b), n * m) for a, n in left.rolls_with_counts() for b, m in others
    )


def product(h, n):
    """The product of n independent dice by halves."""
    if n == 1:
        return h
    half = product(h, n // 2)
    return half * half * h if n % 2 else half * half


def exactly(callback, h):
    """`expand` drops improbable branches unless told not to."""
    return expand(callback, h, min_path_probability=Fraction(0))


def then(h, die):
    """As many dice as h says, added."""
    return exactly(lambda n: n.outcome @ die if n.outcome else 0, h)


RULES = {
    "abilities": lambda: (4 @ P(6)).at(slice(1, None)),
    "risk": lambda: pairs(
        3 @ P(6), 2 @ P(6), lambda a, b: (a[2] > b[1]) + (a[1] > b[0])
    ),
    "sum100": lambda: 100 @ H(6),
    "sum1000": lambda: 1000 @ H(6),
    "sum10000": lambda: 10000 @ H(6),
    "mixed": lambda: P(*(10 @ P(n) for n in (4, 6, 8, 10, 12, 20))).h(),
    "high5": lambda: (20 @ P(10)).at(slice(-5, None)),
    "high50": lambda: (100 @ P(20)).at(slice(-50, None)),
    "high500": lambda: (1000 @ P(20)).at(slice(-500, None)),
    "middle": lambda: (20 @ P(10)).at(slice(5, 15)),
    "median": lambda: H(20).order_stat_for_n_at_pos(101, 50),
    "mixed_middle": lambda: P(*(3 @ P(n) for n in (6, 8, 10, 12))).at(slice(2, 10)),
    "best_six": lambda: (12 @ P((4 @ P(6)).at(slice(1, None)))).at(slice(-6, None)),
    "count1000": lambda: 1000 @ H(10).gt(7),
    "botch": lambda: 50 @ H(10).apply(lambda x: (x > 7) - (x == 1)),
    "set7": lambda: of_rolls(7 @ P(10), lambda r: max(f * n for f, n in sizes(r))),
    "set20": lambda: of_rolls(20 @ P(10), lambda r: max(f * n for f, n in sizes(r))),
    "set40": lambda: of_rolls(40 @ P(20), lambda r: max(f * n for f, n in sizes(r))),
    "largest100": lambda: of_rolls(100 @ P(20), lambda r: max(n for _, n in sizes(r))),
    "straight": lambda: of_rolls(10 @ P(10), straight),
    "ranks": lambda: pairs(
        10 @ P(6), 10 @ P(6), lambda a, b: sum(x < y for x, y in zip(a, b))
    ),
    "prod20": lambda: product(H(6), 20),
    "rolled_size": lambda: exactly(
        lambda n: H(20).order_stat_for_n_at_pos(n.outcome, -1), H(100)
    ),
    "chain": lambda: then(
        then(then(40 @ H(6).gt(2), H(6).gt(3)), H(6).lt(5)), H(3)
    ),
}

def items(h):
    """The outcomes with their weights."""
    return h.items()


def denominator(h):
    """The sum of all weights."""
    return h.total


if __name__ == "__main__":
    main(RULES, items, denominator)
