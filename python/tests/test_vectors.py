"""The golden vectors of the repository agree exactly."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dicedist
from dicedist import Dist, Interval

sys.set_int_max_str_digits(0)
ROOT = Path(__file__).parents[2]
VECTORS = Path(os.environ.get("DICEDIST_VECTORS") or ROOT / "tests" / "golden")
TIME = 20


def vectors() -> list[Any]:
    """All vectors that need no option of the command beyond the order of lists and values of names."""
    found = []
    for dialect in dicedist.DIALECTS:
        path = VECTORS / f"{dialect}.json"
        for vector in json.loads(path.read_text(encoding="utf-8")):
            if "--pool" not in vector["options"]:
                found.append(pytest.param(vector, id=vector["id"]))
    return found


def values(options: list[str]) -> dict[str, int]:
    """The values of names among the options."""
    pairs = [text.split("=") for option, text in zip(options, options[1:], strict=False) if option == "--set"]
    return {name: int(value) for name, value in pairs}


def text_of(outcome: Any) -> str:
    """An outcome as the vectors write it."""
    members = outcome if isinstance(outcome, tuple) else (outcome,)
    return " ".join(str(int(member) if isinstance(member, bool) else member) for member in members)


def listed(dist: Dist) -> dict[str, Fraction]:
    return {text_of(outcome): Fraction(chance) for outcome, chance in dist.items()}


def written(outcomes: dict[str, str]) -> dict[str, Fraction]:
    return {outcome: Fraction(chance) for outcome, chance in outcomes.items()}


@pytest.mark.parametrize("vector", vectors())
def test_vector(vector: dict[str, Any]) -> None:
    expect, options = vector["expect"], vector["options"]
    solving = {"ordered": "--ordered" in options, "time": TIME}
    kind = expect["kind"]

    def rule() -> dicedist.Rule:
        return dicedist.rule(vector["program"], vector["dialect"], **values(options))

    if kind == "error":
        with pytest.raises(dicedist.DicedistError) as raised:
            for result in rule().results():
                result.solve(**solving)
            # Bones has grown since; dicelab still has the old grammar.
            if vector["dialect"] == "bones":
                dicedist.solve(vector["program"], "dicelab", time=TIME)
        if expect.get("error"):
            assert raised.value.kind == expect["error"]
        return
    if kind == "several":
        results = _results(vector)
        assert len(results) == len(expect["results"])
        for result, outcomes in zip(results, expect["results"], strict=True):
            _judge(result.solve(**solving), outcomes)
        if "names" in expect:
            assert [result.name for result in results] == expect["names"]
        return
    dist = rule().solve(**solving)
    if kind == "pmf":
        _judge(dist, expect["outcomes"])
    elif kind == "prefix":
        for outcome, chance in written(expect["outcomes"]).items():
            assert chance in _bounds(dist, outcome)
    elif kind == "bounds":
        residual = Fraction(expect.get("residual", 0))
        for outcome, chance in written(expect["outcomes"]).items():
            found = _bounds(dist, outcome)
            assert found.high >= chance and found.low <= chance + residual
    elif kind == "float":
        found = {outcome: float(chance) for outcome, chance in listed(dist).items()}
        for outcome in {*found, *expect["outcomes"]}:
            assert abs(found.get(outcome, 0) - expect["outcomes"].get(outcome, 0)) <= 1e-9
    else:
        assert kind == "big"
        assert len(dist) == expect["support_size"]
        _judge(dist, expect)
    for name in ("mean", "variance"):
        if expect.get(name) is not None and dist.is_exact:
            wanted = expect[name]
            found = getattr(dist, name)()
            assert found == (float("inf") if wanted == "infinite" else Fraction(wanted))
    if expect.get("never_ends") is not None:
        assert dist.never_ends == Fraction(expect["never_ends"])


def _judge(dist: Dist, expected: dict[str, Any]) -> None:
    """A whole distribution, or one that is too long to list."""
    assert dist.is_exact or dist.never_ends
    if "sha256" not in expected:
        assert listed(dist) == written(expected)
        return
    for outcome, chance in written(expected["points"]).items():
        assert listed(dist).get(outcome, 0) == chance
    lines = (f"{text_of(outcome)} {chance.numerator}/{chance.denominator}\n" for outcome, chance in dist.items())
    assert hashlib.sha256("".join(lines).encode()).hexdigest() == expected["sha256"]


def _results(vector: dict[str, Any]) -> list[dicedist.Rule]:
    """The results of a program; of a text of several rules the rules."""
    rules = dicedist.rules(vector["program"], vector["dialect"])
    return [result for rule in rules for result in rule.results()]


def _bounds(dist: Dist, outcome: str) -> Interval:
    members = tuple(int(member) if member.lstrip("-").isdigit() else Fraction(member) for member in outcome.split())
    chance = dist.exactly(members[0] if len(members) == 1 else members)
    return chance if isinstance(chance, Interval) else Interval(chance, chance)
