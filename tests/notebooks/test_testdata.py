"""What users see of each notebook of testdata, and what fixing makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.notebooks.cases import NOTEBOOKS, report


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_findings_and_fixes(path: Path, tmp_path: Path) -> None:
    fixed = path.with_name(f"{path.stem}_fixed.ipynb")
    wanted = fixed if fixed.exists() else path
    assert report(path, tmp_path) == (
        path.with_suffix(".txt").read_text("utf-8"),
        wanted.read_bytes(),
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_second_run_changes_nothing(path: Path, tmp_path: Path) -> None:
    fixed = path.with_name(f"{path.stem}_fixed.ipynb")
    if fixed.exists():
        assert report(fixed, tmp_path)[1] == fixed.read_bytes()
    else:
        assert report(path, tmp_path)[1] == path.read_bytes()
