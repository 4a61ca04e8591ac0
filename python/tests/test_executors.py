"""Sweeps and comparisons on processes and on a cluster: the same numbers as here, and no setting lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor

import pytest

import dicedist
from dicedist import DicedistError, Expression, d

POOLS = "count >=k n#d10"


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2) as executor:
        yield executor


def highest(n: int) -> Expression:
    return d(6).highest(n, 3)


def test_the_numbers_and_their_order_are_those_of_a_sweep_here(processes: Executor) -> None:
    here = dicedist.sweep(POOLS, n=range(1, 21), k=range(1, 11))
    away = dicedist.sweep(POOLS, n=range(1, 21), k=range(1, 11), executor=processes)
    assert list(here.items()) == list(away.items())
    assert (here.name, here.names, str(here)) == (away.name, away.names, str(away))


def test_a_function_of_a_module_makes_rules_elsewhere(processes: Executor) -> None:
    away = dicedist.sweep(highest, n=range(3, 6), executor=processes)
    assert dict(away) == dict(dicedist.sweep(highest, n=range(3, 6)))


def test_a_comparison_keeps_its_names_in_order(processes: Executor) -> None:
    rules = {"plain": "3d6", "built": 3 @ d(6), "known": dicedist.Dist([1, 2]), "read": dicedist.rule("d20")}
    away = dicedist.compare(rules, executor=processes)
    assert list(away.items()) == list(dicedist.compare(rules).items())


@pytest.mark.parametrize("is_away", [False, True])
def test_the_first_setting_that_fails_is_named(processes: Executor, is_away: bool) -> None:
    executor = processes if is_away else None
    with pytest.raises(dicedist.DivisionByZeroError) as caught:
        dicedist.sweep("12 / (n - 300) / (n - 700) + m", n=range(1, 1000), m=2, executor=executor)
    assert caught.value.setting == {"m": 2, "n": 300}
    assert str(caught.value).endswith("\n  with m=2, n=300")
    with pytest.raises(DicedistError) as caught:
        dicedist.compare({"right": "d6", "wrong": "1/(d6-1)"}, executor=executor)
    assert caught.value.setting == {"rule": "wrong"}


def test_progress_counts_settings(processes: Executor) -> None:
    seen: list[int] = []
    dicedist.sweep("count 6#d6 + n", n=range(1, 601), executor=processes, solving={"progress": seen.append})
    assert seen[-1] == 600 and seen == sorted(seen) and len(seen) > 100


def test_limits_hold_for_each_setting(processes: Executor) -> None:
    with pytest.raises(dicedist.LimitError) as caught:
        dicedist.sweep("prod(n#d100)", n=[2, 60], executor=processes, solving={"time": 0.2})
    assert caught.value.setting == {"n": 60}


def test_what_is_no_executor_is_refused() -> None:
    with pytest.raises(TypeError, match="submit"):
        dicedist.sweep(POOLS, n=range(2), k=1, executor=2)  # type: ignore[arg-type]


def test_a_cluster_that_loses_a_worker_loses_no_setting() -> None:
    distributed = pytest.importorskip("distributed")
    settings = {"n": range(1, 41), "k": range(1, 11)}
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        processes = list(client.run(os.getpid).values())
        seen: list[int] = []

        def progress(solved: int) -> None:
            seen.append(solved)
            if processes and solved >= 100:
                os.kill(processes.pop(), signal.SIGKILL)
                processes.clear()

        away = dicedist.sweep(
            POOLS, **settings, executor=client.get_executor(), solving={"progress": progress}
        )
        assert not processes and seen[-1] == 400
    assert list(away.items()) == list(dicedist.sweep(POOLS, **settings).items())
