"""The rules of the comparison for icepool, each in the quickest way we found to say it there.

Where icepool has no word for a question, an evaluator is written by hand, as its documentation advises.
"""

import sys

import icepool
from icepool import MultisetEvaluator, Pool, d
from measure import main

# `n @ die` calls itself n times.
sys.setrecursionlimit(100_000)


class LargestSetSum(MultisetEvaluator):
    """The largest sum of dice that show the same."""

    def next_state(self, state, order, outcome, count):
        return max(state or 0, outcome * count)


class LongestStraight(MultisetEvaluator):
    """The length of the longest run of faces that show."""

    extra_outcomes = MultisetEvaluator.consecutive

    def next_state(self, state, order, outcome, count):
        run, best = state or (0, 0)
        run = run + 1 if count else 0
        return run, max(run, best)

    def final_outcome(self, final_state, *_):
        return final_state[1]


class RanksWon(MultisetEvaluator):
    """In how many ranks the second of two sorted pools is higher."""

    def next_state(self, state, order, outcome, left, right):
        if order < 0:
            raise icepool.UnsupportedOrder()
        # ahead: how many more dice of the left pool than of the right were lower so far.
        ahead, won = state or (0, 0)
        if ahead > 0:
            won += min(ahead, right)
        return ahead + left - right, won

    def final_outcome(self, final_state, *_):
        return final_state[1]


def repeated(die, n):
    """The sum of n independent dice by halves, much quicker than `n @ die` where n is large."""
    if n == 1:
        return die
    half = repeated(die, n // 2)
    return half + half + die if n % 2 else half + half


def product(die, n):
    """The product of n independent dice by halves."""
    if n == 1:
        return die
    half = product(die, n // 2)
    return half * half * die if n % 2 else half * half


RULES = {
    "abilities": lambda: d(6).highest(4, 3),
    "risk": lambda: d(6).pool(3).highest(2).sort_pair(">", d(6).pool(2)).size(),
    "sum100": lambda: repeated(d(6), 100),
    "sum1000": lambda: repeated(d(6), 1000),
    "sum10000": lambda: repeated(d(6), 10000),
    "mixed": lambda: sum(repeated(d(n), 10) for n in (4, 6, 8, 10, 12, 20)),
    "high5": lambda: d(10).highest(20, 5),
    "high50": lambda: d(20).highest(100, 50),
    "high500": lambda: d(20).highest(1000, 500),
    "middle": lambda: d(10).pool(20)[5:15].sum(),
    "median": lambda: d(20).lowest(101, 1, 50),
    "mixed_middle": lambda: Pool({d(6): 3, d(8): 3, d(10): 3, d(12): 3})[2:-2].sum(),
    "best_six": lambda: d(6).highest(4, 3).highest(12, 6),
    "count1000": lambda: (d(10) > 7).pool(1000).sum(),
    "botch": lambda: repeated(d(10).map(lambda x: (x > 7) - (x == 1)), 50),
    "set7": lambda: LargestSetSum().evaluate(d(10).pool(7)),
    "set20": lambda: LargestSetSum().evaluate(d(10).pool(20)),
    "set40": lambda: LargestSetSum().evaluate(d(20).pool(40)),
    "largest100": lambda: d(20).pool(100).largest_count(),
    "straight": lambda: LongestStraight().evaluate(d(10).pool(10)),
    "ranks": lambda: RanksWon().evaluate(d(6).pool(10), d(6).pool(10)),
    "prod20": lambda: product(d(6), 20),
    "rolled_size": lambda: d(100).map(lambda n: d(20).highest(n, 1)),
    "chain": lambda: 40 @ (d(6) > 2) @ (d(6) > 3) @ (d(6) < 5) @ d(3),
}

def items(die):
    """The outcomes with their weights."""
    return die.items()


def denominator(die):
    """The sum of all weights."""
    return die.denominator()


if __name__ == "__main__":
    main(RULES, items, denominator)
