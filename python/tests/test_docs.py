"""The examples of the documentation are run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import dicedist

README = Path(__file__).parent.parent / "README.md"
MODULES = ["dicedist", *(f"dicedist.{module.name}" for module in pkgutil.iter_modules(dicedist.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.IGNORE_EXCEPTION_DETAIL * 0)
    assert result.failed == 0


def test_readme() -> None:
    assert "pip install" in README.read_text(encoding="utf-8")
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted > 0
