"""The same work on many settings, here or by an executor: processes of this machine, or a cluster of machines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, as_completed
from typing import TYPE_CHECKING, Any, TypeVar

from . import _limits
from .errors import DicedistError

if TYPE_CHECKING:
    from ._limits import Solving

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

#: Into how many tasks the work is cut at most. A task costs a message to a worker and back.
_MOST_TASKS = 256

#: The results of a task, and the error that stopped it.
_Done = tuple[list[Any], "BaseException | None"]


def each(
    work: Callable[[_Item, Solving | None], _Result],
    items: Sequence[_Item],
    said: Callable[[_Item], dict[str, Any]],
    solving: Solving | None,
    executor: Executor | None,
) -> list[_Result]:
    """The results of some work on each item, in their order.

    The error of the first item that fails is raised with what is ``said`` of it, whatever ended first, and tasks that have not
    begun are cancelled. An executor gets ``work`` and the items pickled, and ``progress`` counts items then.
    """
    if executor is None:
        done, error = _task(work, items, solving)
        if error is not None:
            raise _with_setting(error, said(items[len(done)]))
        return done
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(f"an executor has a method `submit`, and {type(executor).__name__} has none")
    size = -(-len(items) // _MOST_TASKS)
    starts = range(0, len(items), size)
    progress = (solving or {}).get("progress")
    quiet: Solving = {**(solving or {}), "progress": None}
    futures: list[Future[_Done]] = [
        executor.submit(_task, work, items[start : start + size], quiet) for start in starts
    ]
    try:
        with _limits.watching(progress, " settings", len(items)) as watch:
            _wait(futures, watch)
        results: list[_Result] = []
        for future in futures:
            done, error = future.result()
            results += done
            if error is not None:
                raise _with_setting(error, said(items[len(results)]))
    finally:
        for future in futures:
            future.cancel()
    return results


def _task(work: Callable[[Any, Any], Any], items: Sequence[Any], solving: Any) -> _Done:
    done: list[Any] = []
    for item in items:
        try:
            done.append(work(item, solving))
        except Exception as error:
            return done, error
    return done, None


def _wait(futures: list[Future[_Done]], watch: Callable[[int, int], None] | None) -> None:
    """Waits for all tasks, or for those before the first that failed: those behind it are cancelled."""
    places = {future: place for place, future in enumerate(futures)}
    last, solved = len(futures), 0
    for future in as_completed(futures):
        if future.cancelled():
            continue
        done, error = ([], future.exception()) if future.exception() else future.result()
        solved += len(done)
        if watch is not None:
            watch(solved, 0)
        if error is not None and places[future] < last:
            last = places[future]
            for later in futures[last + 1 :]:
                later.cancel()
        if last < len(futures) and all(earlier.done() for earlier in futures[:last]):
            return


def _with_setting(error: BaseException, setting: dict[str, Any]) -> BaseException:
    if isinstance(error, DicedistError):
        error.setting = setting
    elif hasattr(error, "add_note"):
        error.add_note("with " + ", ".join(f"{name}={value}" for name, value in setting.items()))
    return error
