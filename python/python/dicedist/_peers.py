"""Conversions from and to the objects of other libraries, which are imported only where they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._dist import Dist


def _exact(dist: Dist) -> Dist:
    if not dist.is_exact:
        raise ValueError("only an exact distribution is a die of another library")
    return dist


def _plain(outcome: Any) -> Any:
    """A vector of icepool as a tuple."""
    if isinstance(outcome, (int, str)):
        return outcome
    if type(outcome).__module__.startswith("icepool"):
        return tuple(outcome)
    return outcome


def from_icepool(die: Any) -> dict[Any, int]:
    """The outcomes of a die with their quantities."""
    if not hasattr(die, "quantity") or not callable(getattr(die, "items", None)):
        raise TypeError(f"an icepool.Die is needed here, and not {type(die).__name__}")
    return {_plain(outcome): int(quantity) for outcome, quantity in die.items()}


def to_icepool(dist: Dist) -> Any:
    """The die with these outcomes."""
    import icepool

    weights = _exact(dist).weights().items()
    return icepool.Die({tuple(key) if isinstance(key, tuple) else key: by for key, by in weights})


def from_dyce(histogram: Any) -> dict[Any, int]:
    """The outcomes of a histogram with their counts."""
    if not callable(getattr(histogram, "items", None)) or not hasattr(histogram, "total"):
        raise TypeError(f"a dyce.H is needed here, and not {type(histogram).__name__}")
    return {outcome: int(count) for outcome, count in histogram.items()}


def to_dyce(dist: Dist) -> Any:
    """The histogram with these outcomes."""
    import dyce

    return dyce.H(_exact(dist).weights())


def index(dist: Dist) -> Any:
    """The outcomes as an index of pandas, in which the values of records have levels of their own."""
    import pandas

    outcomes = list(dist)
    if dist.fields and all(len(outcome) == len(dist.fields) for outcome in outcomes):
        return pandas.MultiIndex.from_tuples([tuple(it) for it in outcomes], names=list(dist.fields))
    return pandas.Index(outcomes, name="outcome", tupleize_cols=False)
