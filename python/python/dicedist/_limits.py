"""The limits within which a rule is solved, and who watches it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypedDict, Union

from ._numbers import fraction

#: The five limits, as the engine takes them.
Bounds = tuple[Union[float, None], Union[int, None], Union[int, None], int, Fraction]

#: ``True`` for a bar of tqdm, or a function of the number of states, or of rolls, so far.
Progress = Union[bool, Callable[[int], object], None]


class Limits(TypedDict, total=False):
    """What a rule may take.

    ``time``: seconds, 10 unless given. ``states``: states of the engine, 2,000,000. ``memory``: bytes, 2 GiB, as the engine
    counts them. ``None`` lifts one of these. ``outcomes``: how many outcomes of an endless distribution are listed, 10,000.
    ``tolerance``: the largest probability that may stay unresolved, 10⁻¹².
    """

    time: float | None
    states: int | None
    memory: int | None
    outcomes: int
    tolerance: Fraction | float | str


class Solving(Limits, total=False):
    """How a rule is solved: its limits, and what else can be said.

    ``sample``: ``True``, or a seed: the rule is rolled a million times if the limits do not suffice to solve it, and all
    probabilities are then intervals. ``ordered``: lists in the order of the rule, and not in ascending order. ``progress``: ``True``
    for a bar of tqdm, or a function that is called now and then with the number of states so far.
    """

    sample: bool | int
    ordered: bool
    progress: Progress


#: The names of all of them.
NAMES = frozenset(Solving.__annotations__) | frozenset(Limits.__annotations__)

_TOLERANCE = Fraction(1, 10**12)


def bounds(
    time: float | None = 10,
    states: int | None = 2_000_000,
    memory: int | None = 2 << 30,
    outcomes: int = 10_000,
    tolerance: Fraction | float | str = _TOLERANCE,
) -> Bounds:
    """The limits as the engine takes them."""
    for name, limit in (("states", states), ("memory", memory), ("outcomes", outcomes)):
        if limit is not None and limit < 0:
            raise ValueError(f"the limit of {name} is not below 0")
    most = (1 << 64) - 1
    states, memory = (None if limit is None else min(limit, most) for limit in (states, memory))
    return time, states, memory, min(outcomes, most), fraction(tolerance, "a tolerance")


def seed(sample: bool | int) -> int | None:
    """The seed of rolls, if there may be rolls."""
    if sample is False or sample is None:
        return None
    if sample is True:
        return 0
    return whole_seed(sample)


def whole_seed(seed: int) -> int:
    """A seed that is a whole number of 64 bits."""
    if not hasattr(seed, "__index__"):
        raise TypeError(f"a seed is a whole number, and not {type(seed).__name__}")
    if not 0 <= seed < 1 << 64:
        raise ValueError("a seed is a whole number from 0 to 2**64 - 1")
    return int(seed)


@contextmanager
def watching(
    progress: Progress, unit: str = " states", total: int | None = None
) -> Iterator[Callable[[int, int], None] | None]:
    """A function that shows how far the work is, in states unless another unit is named."""
    if progress is None or progress is False:
        yield None
        return
    if progress is not True:
        tell = progress

        def told(states: int, samples: int) -> None:
            tell(samples or states)

        yield told
        return
    bar = _bar(unit, total)
    if bar is None:
        yield None
        return

    def shown(states: int, samples: int) -> None:
        if samples and bar.unit != " rolls":
            bar.unit = " rolls"
            bar.reset(total=1_000_000)
        bar.update((samples or states) - bar.n)

    with bar:
        yield shown


def _bar(unit: str, total: int | None) -> Any:
    """A bar of tqdm, if it is installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(unit=unit, total=total, leave=False)


if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack
