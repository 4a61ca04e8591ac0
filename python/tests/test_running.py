"""Long work: limits, interrupts, threads, progress. A soft loop of Python measures, so the bounds are generous."""

from __future__ import annotations

import _thread
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from fractions import Fraction

import pytest

import dicedist
from dicedist import Dist, LimitError, d

#: Takes minutes without limits.
LONG = "prod(60#d100)"
UNLIMITED = {"time": 60, "states": None, "memory": None}


@contextmanager
def interrupt(after: float) -> Iterator[list[float]]:
    """Raises the signal of Ctrl-C after so many seconds, and notes when."""
    at: list[float] = []

    def send() -> None:
        time.sleep(after)
        at.append(time.monotonic())
        _thread.interrupt_main()

    thread = threading.Thread(target=send)
    thread.start()
    yield at
    thread.join()


def test_an_interrupt_ends_the_wait_at_once() -> None:
    waits = []
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt), interrupt(0.3) as at:
            try:
                dicedist.solve(LONG, **UNLIMITED)
            finally:
                waits.append(time.monotonic() - at[0])
    # A busy machine may be late once.
    assert min(waits) < 0.1


def test_an_interrupt_ends_arithmetic() -> None:
    wide = Dist(range(0, 10**12, 10**8 + 7))
    with pytest.raises((KeyboardInterrupt, LimitError)), interrupt(0.2) as at:
        try:
            for _ in range(40):
                wide = wide * wide
        finally:
            waited = time.monotonic() - at[0] if at else 0.0
    assert waited < 1


def test_the_time_is_held() -> None:
    start = time.monotonic()
    with pytest.raises(LimitError) as raised:
        dicedist.solve(LONG, time=0.3, states=None, memory=None)
    assert raised.value.limit == "time"
    assert time.monotonic() - start < 2


def test_other_threads_go_on() -> None:
    counted = 0
    solved = threading.Event()

    def solve() -> None:
        try:
            dicedist.solve(LONG, time=0.5, states=None, memory=None)
        except LimitError:
            pass
        solved.set()

    threading.Thread(target=solve).start()
    start = time.monotonic()
    while not solved.is_set():
        counted += 1
    assert time.monotonic() - start >= 0.3
    # A thread that held the lock of the interpreter would leave a handful.
    assert counted > 10_000


def test_many_threads() -> None:
    rule = dicedist.rule("sum(drop low 1 n#d6)")
    expression = d(6).times(4).drop_lowest(1).sum()
    wanted = rule.with_values(n=4).solve()

    def work(place: int) -> bool:
        first = rule.with_values(n=4).solve() if place % 2 else expression.solve()
        return first == wanted and first.at_least(18) == Fraction(7, 432) and hash(first) == hash(wanted)

    with ThreadPoolExecutor(16) as threads:
        assert all(threads.map(work, range(200)))


def test_threads_that_build() -> None:
    def work(place: int) -> Fraction:
        return d(6).map(lambda x: x + place).share(lambda x: x + x).solve().mean()  # type: ignore[no-any-return]

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(work, range(50))) == [7 + 2 * place for place in range(50)]


def test_progress_calls_a_function() -> None:
    told: list[int] = []
    with pytest.raises(LimitError):
        dicedist.solve(LONG, time=0.5, states=None, memory=None, progress=told.append)
    assert told
    assert told == sorted(told)


def test_an_exception_of_progress_ends_the_work() -> None:
    def stop(_: int) -> None:
        raise StopIteration("enough")

    start = time.monotonic()
    with pytest.raises((StopIteration, RuntimeError)):
        dicedist.solve(LONG, **UNLIMITED, progress=stop)
    assert time.monotonic() - start < 1


def test_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    with pytest.raises(LimitError):
        dicedist.solve(LONG, time=0.5, states=None, memory=None, progress=True)
    assert "states" in capsys.readouterr().err


def test_no_thread_stays() -> None:
    """The work that nobody waits for stops by itself."""
    with pytest.raises(KeyboardInterrupt), interrupt(0.2):
        dicedist.solve(LONG, **UNLIMITED)
    start, busy = time.monotonic(), time.process_time()
    time.sleep(1.5)
    used = time.process_time() - busy
    assert used < 0.8 * (time.monotonic() - start)


def test_long_fractions_are_made_when_they_are_asked_for() -> None:
    long = (10_000 @ d(6)).solve()
    start = time.monotonic()
    assert len(long.weights()) == 50_001
    assert long[10_000] == Fraction(1, 6**10_000)
    assert long._repr_html_()
    assert hash(long)
    with pytest.raises(KeyboardInterrupt), interrupt(0.1):
        long.values()
    assert time.monotonic() - start < 10


def test_questions_about_long_distributions_do_not_block() -> None:
    long = Dist(range(300_000))
    start = time.monotonic()
    assert long.at_least(150_000) == Fraction(1, 2)
    assert long.mean() == Fraction(299_999, 2)
    assert len(long) == 300_000
    assert time.monotonic() - start < 10


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_solves() -> None:
    """Threads that wait for work stay behind in a fork, which has its own."""
    assert dicedist.solve("2d6")[7] == Fraction(1, 6)
    child = os.fork()
    if child == 0:
        solved = [dicedist.solve("2d6")[7] == Fraction(1, 6) for _ in range(3)]
        os._exit(0 if all(solved) else 1)
    _, status = os.waitpid(child, 0)
    assert status == 0
    assert dicedist.solve("2d6")[7] == Fraction(1, 6)
