"""The types of the package hold, and the stub of the engine is complete."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
#: What somebody with a strict checker would write.
USE = """
from fractions import Fraction
import dicedist
from dicedist import Dist, d

dist: Dist = d(6).times(4).drop_lowest(1).sum().solve(time=2)
chance = dist.at_least(15)
sums: Dist = 3 @ dist + 2
for outcome, probability in dist.items():
    print(outcome, probability + Fraction(1))
condition: dicedist.Condition = (d(6) >= 5) & ~(d(6) == 3)
again: dicedist.Number = 4 @ d(6).explode(lambda roll: roll == 6)
swept = dicedist.sweep("n#d6", n=range(3))[2].mean()
"""


def test_strict_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    use = tmp_path / "use.py"
    use.write_text(USE, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml")]
    command += ["--cache-dir", str(tmp_path), str(ROOT / "python" / "dicedist"), str(use)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT / "python")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_the_tour_is_typed(checker: str, tmp_path: Path) -> None:
    pytest.importorskip(checker)
    cells = json.loads((ROOT / "examples" / "tour.ipynb").read_text(encoding="utf-8"))["cells"]
    # A notebook shows the value of a last line, which a program does not use.
    tour = tmp_path / "tour.py"
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    tour.write_text("\n".join(sources) + "\n", encoding="utf-8")
    if checker == "mypy":
        options = ["--strict", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path)]
        command = [sys.executable, "-m", "mypy", *options, str(tour)]
    else:
        settings = {"reportUnusedExpression": False}
        (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
        command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--project", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_is_complete(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\nignore_missing_imports = true\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy.stubtest", "dicedist._engine", "--mypy-config-file", str(settings)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
