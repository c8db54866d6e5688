"""The programs run, draw the findings that were written down, and keep their numbers when fixed.

`findings` in expected.json is what the tool should say; `left` are codes that fixing ought to remove
and does not yet. The versions written by hand must keep the numbers as well.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.programs.client import Snapshot, Worker
from tools.programs.tool import TESTDATA, findings, fixed_copy

from .compare import Comparison
from .moved import moved_names

PROGRAMS = sorted((TESTDATA / "programs").glob("*/train.py"))
HANDMADE = sorted((TESTDATA / "handmade").glob("*.py"))
MUST_VANISH = {"TXL101", "TXL102", "TXL110"}

each_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.parent.name)
each_rewrite = pytest.mark.parametrize("rewrite", HANDMADE, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def original(worker: Worker) -> Callable[[Path], Snapshot]:
    """Runs a program as it stands, once."""
    return functools.cache(worker.run)


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 21
    names = {path.stem for path in HANDMADE if not path.stem.endswith("_fused")}
    assert names == {path.parent.name for path in PROGRAMS}


def _expected(program: Path) -> dict[str, Any]:
    expected: dict[str, Any] = json.loads(program.with_name("expected.json").read_text())
    return expected


@each_program
def test_runs(program: Path, original: Callable[[Path], Snapshot]) -> None:
    snapshot = original(program)
    assert snapshot.error is None
    assert snapshot.stdout or snapshot.stderr


@each_program
def test_findings(program: Path) -> None:
    expected = _expected(program)["findings"]
    assert findings(program) == [(item["code"], item["line"]) for item in expected]


@each_program
def test_fixed_program_computes_the_same(
    program: Path, original: Callable[[Path], Snapshot], worker: Worker, tmp_path: Path
) -> None:
    fixed = fixed_copy(program, tmp_path)
    left = MUST_VANISH & {code for code, _ in findings(fixed)}
    assert left == set(_expected(program).get("left", ()))
    compare = Comparison(moved=moved_names(program.read_text(), fixed.read_text()))
    assert compare.differences(original(program), worker.run(fixed)) == []


@each_rewrite
def test_rewrite_by_hand_computes_the_same(
    rewrite: Path, original: Callable[[Path], Snapshot], worker: Worker
) -> None:
    name = rewrite.stem.removesuffix("_fused")
    program = TESTDATA / "programs" / name / "train.py"
    if rewrite.read_bytes() == program.read_bytes():
        return
    compare = Comparison(moved=moved_names(program.read_text(), rewrite.read_text()))
    assert compare.differences(original(program), worker.run(rewrite)) == []
