"""Random training programs compute the same before and after their fixes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.programs.client import Worker
from tools.programs.tool import fixed_copy

from .compare import Comparison
from .generated import program
from .moved import moved_names

SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_fixed_program_computes_the_same(seed: int, worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / f"generated_{seed}.py"
    path.write_text(program(seed), "utf-8")
    original = worker.run(path)
    assert original.error is None, original.error
    folder = tmp_path / "fixed"
    folder.mkdir()
    fixed = fixed_copy(path, folder)
    compare = Comparison(moved=moved_names(path.read_text("utf-8"), fixed.read_text("utf-8")))
    assert compare.differences(original, worker.run(fixed)) == []


def test_most_programs_are_rewritten(tmp_path: Path) -> None:
    changed = 0
    for seed in range(40):
        path = tmp_path / f"generated_{seed}.py"
        path.write_text(program(seed), "utf-8")
        folder = tmp_path / str(seed)
        folder.mkdir()
        changed += fixed_copy(path, folder).read_bytes() != path.read_bytes()
    assert changed >= 24
