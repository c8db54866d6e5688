"""Every CASE_bad.py and CASE_fixed.py of the test data compute the same on TensorFlow.

Comment lines at the top of the bad file say what else is meant:

    # intent: correcting   the bad file fails, or computes something else than it does under
                           run_functions_eagerly; the fixed one agrees with its own eager run
    # printed: stderr      what is printed may change stream (tf.print) and order
    # types: loose         a tensor may take the place of a Python or NumPy number
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.programs.client import Worker
from tools.programs.tool import TESTDATA

from .compare import Comparison
from .moved import added_names, moved_names

BAD = sorted(TESTDATA.glob("*/*/*_bad.py"))
FIXED = sorted(TESTDATA.glob("*/*/*_fixed.py"))
GOOD = sorted(TESTDATA.glob("*/*/*_good.py"))


def bad_of(fixed: Path) -> Path:
    return fixed.with_name(fixed.name.removesuffix("_fixed.py") + "_bad.py")


def notes(path: Path) -> set[str]:
    """The comment lines at the top of a file."""
    found = set()
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            break
        found.add(line.lstrip("# ").strip())
    return found


def name(path: Path) -> str:
    return path.relative_to(TESTDATA).with_suffix("").as_posix()


def comparison(bad: Path, fixed: Path) -> Comparison:
    said, texts = notes(bad), (bad.read_text(), fixed.read_text())
    return Comparison(
        moved=moved_names(*texts),
        added=added_names(*texts),
        loose_types="types: loose" in said,
        merged_output="printed: stderr" in said,
    )


def is_correcting(fixed: Path) -> bool:
    return "intent: correcting" in notes(bad_of(fixed))


def test_every_fixed_file_has_its_bad_one() -> None:
    assert [name(path) for path in FIXED if not bad_of(path).exists()] == []


@pytest.mark.parametrize("fixed", [p for p in FIXED if not is_correcting(p)], ids=name)
def test_preserving(fixed: Path, worker: Worker) -> None:
    bad = bad_of(fixed)
    before, after = worker.run(bad), worker.run(fixed)
    assert before.error is None
    assert comparison(bad, fixed).differences(before, after) == []


@pytest.mark.parametrize("fixed", [p for p in FIXED if is_correcting(p)], ids=name)
def test_correcting(fixed: Path, worker: Worker) -> None:
    bad = bad_of(fixed)
    compare = comparison(bad, fixed)
    before = worker.run(bad)
    if before.error is None:
        assert compare.differences(worker.run(bad, run_functions_eagerly=True), before) != []
    after = worker.run(fixed)
    assert after.error is None
    assert compare.differences(worker.run(fixed, run_functions_eagerly=True), after) == []


@pytest.mark.parametrize("path", GOOD, ids=name)
def test_good_files_compile(path: Path) -> None:
    compile(path.read_bytes(), str(path), "exec")
