"""A fixed notebook runs in a kernel and gives what the original does."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.notebooks.cases import TESTDATA

for package in ("nbconvert", "ipykernel", "tensorflow"):
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed", allow_module_level=True)


def printed(paths: Sequence[Path], folder: Path) -> list[list[str]]:
    """What the cells of each notebook print when it is executed, each in a kernel of its own."""
    command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute"]
    options = ["--output-dir", str(folder), "--ExecutePreprocessor.timeout=300"]
    subprocess.run([*command, *options, *map(str, paths)], capture_output=True, check=True)
    found = []
    for path in paths:
        cells = json.loads((folder / path.name).read_text("utf-8"))["cells"]
        outputs = [output for cell in cells for output in cell.get("outputs", ())]
        found.append(["".join(o["text"]) for o in outputs if o.get("name") == "stdout"])
    return found


def test_outputs_are_equal(tmp_path: Path) -> None:
    original = TESTDATA / "rebound_by_later_cells.ipynb"
    fixed = original.with_name("rebound_by_later_cells_fixed.ipynb")
    before, after = printed([original, fixed], tmp_path)
    assert len(before) == 2
    assert after == before
