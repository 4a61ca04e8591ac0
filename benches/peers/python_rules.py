"""The rules of the comparison for the package for Python that is built here, as expressions of dice."""

from dicedist import d, pool
from measure import main


def risk(attack, defence):
    """Two pools, rank by rank."""
    ranks = [1, 2]
    return attack.share(
        lambda a: defence.share(lambda b: sum(a.ranked(rank) > b.ranked(rank) for rank in ranks))
    )


def middle(dice, dropped):
    """The sum without the highest and the lowest."""
    return dice.drop_highest(dropped).drop_lowest(dropped).sum()


def largest_set(dice, faces):
    """The largest sum of dice that show the same."""
    return dice.share(
        lambda dice: pool(range(1, faces + 1))
        .map(lambda face: dice.keep_if(lambda x: x == face).sum())
        .highest()
    )


def straight(dice, faces):
    """The length of the longest run of faces that show."""

    def longest(dice):
        return pool(
            [
                (dice.keep_if(lambda x: (x >= i) & (x <= j)).distinct().count() == j - i + 1).then(j - i + 1, 0)
                for i in range(1, faces + 1)
                for j in range(i, faces + 1)
            ]
        ).highest()

    return dice.share(longest)


def ranks_won(left, right, ranks):
    """In how many ranks the second of two pools is higher."""
    return left.share(
        lambda a: right.share(
            lambda b: sum(b.ranked(rank) > a.ranked(rank) for rank in range(1, ranks + 1))
        )
    )


def botch(die):
    """A success, a failure, or neither."""
    return die.share(lambda x: (x > 7) - (x == 1))


EXPRESSIONS = {
    "abilities": lambda: d(6).times(4).drop_lowest(1).sum(),
    "risk": lambda: risk(d(6).times(3), d(6).times(2)),
    "sum100": lambda: 100 @ d(6),
    "sum1000": lambda: 1000 @ d(6),
    "sum10000": lambda: 10000 @ d(6),
    "mixed": lambda: sum(10 @ d(n) for n in (4, 6, 8, 10, 12, 20)),
    "high5": lambda: d(10).times(20).keep_highest(5).sum(),
    "high50": lambda: d(20).times(100).keep_highest(50).sum(),
    "high500": lambda: d(20).times(1000).keep_highest(500).sum(),
    "middle": lambda: middle(d(10).times(20), 5),
    "median": lambda: d(20).times(101).ranked(51),
    "mixed_middle": lambda: middle(pool([d(n) for n in (6, 8, 10, 12) for _ in range(3)]), 2),
    "best_six": lambda: d(6).times(4).drop_lowest(1).sum().times(12).keep_highest(6).sum(),
    "count1000": lambda: 1000 @ (d(10) > 7),
    "botch": lambda: 50 @ botch(d(10)),
    "set7": lambda: largest_set(d(10).times(7), 10),
    "set20": lambda: largest_set(d(10).times(20), 10),
    "set40": lambda: largest_set(d(20).times(40), 20),
    "largest100": lambda: d(20).times(100).largest_count(),
    "straight": lambda: straight(d(10).times(10), 10),
    "ranks": lambda: ranks_won(d(6).times(10), d(6).times(10), 10),
    "prod20": lambda: d(6).times(20).product(),
    "rolled_size": lambda: d(20).times(d(100)).highest(),
    "chain": lambda: 40 @ (d(6) > 2) @ (d(6) > 3) @ (d(6) < 5) @ d(3),
}

def solved(make):
    """A rule that is measured to its distribution."""
    return lambda: make().solve(time=60)


RULES = {name: solved(make) for name, make in EXPRESSIONS.items()}


def items(dist):
    """The outcomes with their weights."""
    return dist.weights().items()


def denominator(dist):
    """The sum of all weights."""
    return dist.total


if __name__ == "__main__":
    main(RULES, items, denominator)
