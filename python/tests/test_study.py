"""The program of the page about a study: its numbers are those of formulas, and it runs."""

from __future__ import annotations

import runpy
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

STUDY = Path(__file__).parent.parent / "examples" / "study.py"


def test_means_are_those_of_formulas() -> None:
    swept = runpy.run_path(str(STUDY))["study"](3, None)
    assert len(swept) == 3 * 3 * 25
    for setting, dist in swept.items():
        n, k, s = (setting[name] for name in ("n", "k", "s"))
        if k >= n:  # All dice are added.
            assert dist.mean() == Fraction(n * (s + 1), 2)
        if k == 1:  # The highest is at least j unless all dice are below j.
            assert dist.mean() == sum(1 - Fraction(j - 1, s) ** n for j in range(1, s + 1))


def test_the_program_runs() -> None:
    command = [sys.executable, str(STUDY), "--dice", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("100 settings in ")
