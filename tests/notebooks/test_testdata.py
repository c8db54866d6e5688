"""What users see of each notebook of testdata, and what fixing makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.notebooks.cases import NOTEBOOKS, Tool, report


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_findings_and_fixes(path: Path, tool: Tool) -> None:
    fixed = path.with_name(f"{path.stem}_fixed.ipynb")
    wanted = fixed if fixed.exists() else path
    assert report(path, tool) == (
        path.with_suffix(".txt").read_text("utf-8"),
        wanted.read_bytes(),
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_second_run_changes_nothing(path: Path, tool: Tool) -> None:
    fixed = path.with_name(f"{path.stem}_fixed.ipynb")
    if fixed.exists():
        assert report(fixed, tool)[1] == fixed.read_bytes()
    else:
        assert report(path, tool)[1] == path.read_bytes()
