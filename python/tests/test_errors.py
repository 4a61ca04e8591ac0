"""Errors say where, why, and what to write instead."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

import dicedist
from dicedist import DicedistError, LimitError, ParseError, UnboundError


def test_a_mistake_has_its_place() -> None:
    with pytest.raises(ParseError) as raised:
        dicedist.solve("sum(3#d6")
    error = raised.value
    assert isinstance(error, ValueError)
    assert (error.kind, error.line, error.column, error.start, error.end) == ("parse", 1, 4, 3, 4)
    assert error.help is not None
    assert str(error).splitlines()[1:3] == ["  1 | sum(3#d6", "    |    ^"]


def test_places_count_characters() -> None:
    with pytest.raises(ParseError) as raised:
        dicedist.rule('case d6 {1: "ü🎲", 2..: }', "bones")
    error = raised.value
    assert error.start is not None
    text, mark = str(error).splitlines()[1:3]
    assert text.startswith("  1 | case d6")
    # The dice of the text take two columns.
    assert mark.index("^") == len("  1 | ") + error.start + 1


def test_a_mistake_in_the_second_line() -> None:
    with pytest.raises(ParseError) as raised:
        dicedist.rules("a: d6;\nb: sum(3#d6", "bones")
    assert raised.value.line == 2


def test_a_division_by_zero_has_a_probability() -> None:
    with pytest.raises(dicedist.DivisionByZeroError) as raised:
        dicedist.solve("12 / (d6 - 1)")
    assert raised.value.probability == Fraction(1, 6)
    assert raised.value.probability_is_exact
    assert isinstance(raised.value, ZeroDivisionError)
    with pytest.raises(DicedistError) as raised:
        (12 // (dicedist.d(6) - 1)).solve()
    assert raised.value.probability == Fraction(1, 6)
    assert raised.value.text is None


def test_names_without_values() -> None:
    with pytest.raises(UnboundError) as raised:
        dicedist.rule("n#d6").solve()
    assert "rule(…, n=…)" in str(raised.value)
    assert "Rule::" not in str(raised.value)
    with pytest.raises(TypeError, match="no free name 'm'.*: n"):
        dicedist.rule("n#d6", m=1)


@pytest.mark.parametrize("limit", ["states", "time", "memory"])
def test_limits(limit: str) -> None:
    bound = {"states": 100, "time": 0.001, "memory": 100_000}[limit]
    with pytest.raises(LimitError) as raised:
        dicedist.solve("let x = 60#d100 in sum(high 30 x) * prod x", **{limit: bound})
    assert raised.value.limit == limit
    assert f"solve({limit}=…)" in str(raised.value)
    assert "sample=True" in str(raised.value)


def test_limits_that_make_no_sense() -> None:
    for name, wrong in [
        ("time", -1),
        ("time", float("nan")),
        ("states", -1),
        ("memory", -5),
        ("outcomes", -1),
        ("tolerance", float("inf")),
        ("sample", -1),
        ("sample", 1 << 64),
    ]:
        with pytest.raises(ValueError, match=r"."):
            dicedist.solve("d6", **{name: wrong})
    for name, text in [("time", "1"), ("states", "x"), ("states", 1.5), ("outcomes", None)]:
        with pytest.raises(TypeError):
            dicedist.solve("d6", **{name: text})
    unlimited = {"time": None, "states": None, "memory": None}
    assert dicedist.solve("d6", **unlimited) == dicedist.solve("d6", time=float("inf"), states=1 << 70)


def test_unknown_notations() -> None:
    with pytest.raises(DicedistError, match="nonsense"):
        dicedist.solve("d6", "nonsense")


def test_what_reads_in_no_notation() -> None:
    with pytest.raises(ParseError) as raised:
        dicedist.solve("roll me a die please")
    assert "--" not in str(raised.value)
    with pytest.raises(ParseError) as raised:
        dicedist.solve("3d6 drop lowest")
    assert raised.value.help == "write `3d6dl1`"


def test_how_many_rules() -> None:
    with pytest.raises(DicedistError, match="rules in this text"):
        dicedist.rule("d6; d8")
    assert [rule.solve().max() for rule in dicedist.rules("d6; d8")] == [6, 8]


def test_mixed_notations() -> None:
    read = dicedist.rules("plain: sum(3#d6); heroic: 4d6kh3")
    assert [rule.dialect for rule in read] == ["bones", "tabletop"]
    assert read[1].solve() == dicedist.solve("sum(drop low 1 4#d6)")


def test_errors_are_pickled() -> None:
    with pytest.raises(DicedistError) as raised:
        dicedist.solve("12 / (d6 - 1)")
    back = pickle.loads(pickle.dumps(raised.value))
    assert type(back) is type(raised.value)
    assert str(back) == str(raised.value)
    assert back.probability == Fraction(1, 6)


def test_long_lines_are_cut() -> None:
    with pytest.raises(DicedistError) as raised:
        dicedist.rule("1" + " + 1" * 10_000 + " + ) + 1" + " + 1" * 10_000)
    assert len(str(raised.value)) < 3000


def test_warnings() -> None:
    assert dicedist.rule("sum(3#d6)").warnings == ()
    found = [warning for text in ("4d6kh3 + n", "output 3d6 + 1d{1..6}k") for warning in _warned(text)]
    assert all(warning.message for warning in found)


def _warned(text: str) -> list[dicedist.Finding]:
    try:
        return list(dicedist.rule(text).warnings)
    except DicedistError as error:
        return list(error.findings)
