"""The notebook runs from the top to the end, and is stored without outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TOUR = Path(__file__).parent.parent / "examples" / "tour.ipynb"


def test_the_notebook_is_stored_without_outputs() -> None:
    cells = json.loads(TOUR.read_text(encoding="utf-8"))["cells"]
    codes = [cell for cell in cells if cell["cell_type"] == "code"]
    assert codes
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in codes)


def test_the_notebook_runs() -> None:
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    notebook = nbformat.read(TOUR, as_version=4)
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    shown = [output for output in outputs if "text/html" in output.get("data", {})]
    assert len(shown) >= 5
    assert all("<table" in output["data"]["text/html"] for output in shown)
