"""The page for those who come from icepool: both sides of each question give one distribution."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import dicedist
from dicedist import Dist

PAGE = (Path(__file__).parent.parent / "icepool.md").read_text(encoding="utf-8")
QUESTIONS = [
    (title, re.findall(r"```python\n(.*?)```", body, re.DOTALL))
    for title, body in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
]


def last_line(code: str, names: dict[str, Any]) -> Any:
    """The value of the last expression of some code."""
    *before, last = ast.parse(code).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(before, []), "page", "exec"), names)
    return eval(compile(ast.Expression(last.value), "page", "eval"), names)


def test_there_are_fifteen() -> None:
    assert len(QUESTIONS) == 15
    assert all(len(sides) == 2 for _, sides in QUESTIONS)


@pytest.mark.parametrize(("title", "sides"), QUESTIONS, ids=[title for title, _ in QUESTIONS])
def test_both_sides_agree(title: str, sides: list[str]) -> None:
    icepool = pytest.importorskip("icepool", reason="icepool is not installed")
    theirs, ours = sides
    names = {name: getattr(icepool, name) for name in dir(icepool)}
    names |= {f"d{sides}": icepool.d(sides) for sides in (6, 8, 10, 20)}
    wanted = Dist.from_icepool(last_line(theirs, names))
    found = dicedist.dice.solved(last_line(ours, {name: getattr(dicedist, name) for name in dicedist.__all__}))
    assert found.is_exact
    assert dict(found) == {plain(outcome): chance for outcome, chance in wanted.items()}


def plain(outcome: Any) -> Any:
    """Truths as numbers."""
    return tuple(map(int, outcome)) if isinstance(outcome, tuple) else int(outcome)
