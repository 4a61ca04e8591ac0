"""Tables, pictures and formats."""

from __future__ import annotations

import csv
import io
import json
import math
import pickle
from fractions import Fraction
from xml.etree import ElementTree

import pytest

import dicedist
from dicedist import Dist, d

ABILITY = dicedist.solve("4d6kh3")
SWEEP = dicedist.sweep("sum(n#d6) + bonus", n=range(1, 4), bonus=[0, 2])
BOTH = dicedist.compare({"plain": "sum(3#d6)", "heroic": ABILITY})


@pytest.mark.parametrize("shown", [ABILITY, SWEEP, BOTH, Dist(["a", "b"]), dicedist.solve("2#d6"), d(6).explode(6).solve()])
def test_html_and_pictures(shown: Dist | dicedist.Sweep | dicedist.Comparison) -> None:
    ElementTree.fromstring(shown._repr_svg_())
    assert shown._repr_png_().startswith(b"\x89PNG")
    html = shown._repr_html_()
    assert html.count("<table") == html.count("</table>") > 0
    # All else is closed, so the rest is a tree of XML.
    ElementTree.fromstring(_closed(html))


def _closed(html: str) -> str:
    parts = html.split("<img ")
    closed = [parts[0]] + [part.replace(">", "/>", 1) for part in parts[1:]]
    return f"<div>{'<img '.join(closed)}</div>"


def test_csv_and_json() -> None:
    rows = list(csv.DictReader(io.StringIO(ABILITY.to_csv())))
    assert len(rows) == 16
    assert json.loads(ABILITY.to_json())
    assert json.loads(SWEEP.to_json())
    assert json.loads(BOTH.to_json())
    assert len(list(csv.reader(io.StringIO(SWEEP.to_csv())))) > 6


def test_tables() -> None:
    assert "13.2716%" in str(ABILITY)
    assert "25/108" in ABILITY.to_table(fractions=True, view="at_least")
    assert "| 13" in ABILITY.to_markdown() or "|13" in ABILITY.to_markdown()
    assert "at least 15" in BOTH.to_table(at_least=[15])
    assert str(SWEEP)
    assert str(BOTH)


def test_pandas() -> None:
    pytest.importorskip("pandas")
    series = ABILITY.to_pandas()
    assert math.isclose(series.sum(), 1)
    assert series[18] == float(Fraction(7, 432))
    frame = BOTH.to_pandas()
    assert list(frame.columns) == ["plain", "heroic"]
    assert math.isclose(frame.loc[3, "plain"], 1 / 216)
    swept = SWEEP.to_pandas()
    assert list(swept.index.names) == ["n", "bonus"]
    assert math.isclose(swept.loc[(1, 2), 3], 1 / 6)
    records = dicedist.solve("let x = 2#d6 in {sum: sum x, most: high 1 x}").to_pandas()
    assert list(records.index.names) == ["sum", "most"]
    assert math.isclose(Dist({(1, 2): 1, (3,): 1}).to_pandas().sum(), 1)
    assert list(Dist(["b", "a"]).to_pandas().index) == ["a", "b"]


def test_sweeps() -> None:
    assert len(SWEEP) == 6
    assert SWEEP[2, 0] == dicedist.solve("sum(2#d6)")
    assert SWEEP.mean()[3, 2] == Fraction(25, 2)
    assert {n: dist.max() for n, dist in dicedist.sweep("sum(n#d6)", n=range(3)).items()} == {0: 0, 1: 6, 2: 12}


def test_sweeps_of_functions() -> None:
    def best_of(n: int, keep: int) -> dicedist.Number:
        return d(6).highest(n, keep)

    swept = dicedist.sweep(best_of, n=[3, 4], keep=3)
    assert swept.name == "best_of"
    assert swept[4] == ABILITY
    assert "best_of" in swept._repr_html_()
    assert pickle.loads(pickle.dumps(swept))[3] == (3 @ d(6)).solve()
    assert dicedist.sweep(lambda n: f"{n}d6", n=[2])[2].max() == 12
    assert dicedist.sweep(lambda n: Dist(range(n)), n=[2])[2].max() == 1
    for wrong in (d(6), 6, lambda n: 6, lambda: d(6)):
        with pytest.raises(TypeError):
            dicedist.sweep(wrong, n=[1])


def test_comparisons() -> None:
    assert BOTH.versus("heroic", "plain").dominance == "a"
    assert len(dicedist.compare([d(6), "d8", d(6), Dist([1]), Dist([1])])) == 5
    assert list(dicedist.compare("d6", "d8", b=d(6))) == ["d6", "d8", "b"]
    assert len(dicedist.compare(Dist([1]), {"a": "d6"})) == 2
    assert dicedist.compare(a=d(6) > 3)["a"][True] == Fraction(1, 2)
