"""The cases of the benchmark, and what it makes of what it has measured."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools.bench import (
    Case,
    Row,
    change,
    commands,
    hook,
    long_file,
    notebooks,
    packages,
    plot,
    sample,
    table,
    together,
)

ROWS = [
    Row("LibCST's parse", [2.0, 2.5], [3.0, 3.5], 100.0),
    Row("tfxla-lint, one core", [3.0, 3.2], [4.0, 4.5], 200.0),
]


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """Two packages, of which one names Keras."""
    installed = tmp_path / "installed"
    for name, text in (("alpha", "import os\n"), ("beta", "import keras\n")):
        (installed / name).mkdir(parents=True)
        (installed / name / "__init__.py").write_text(text)
        (installed / name / "more.py").write_text(text)
    return packages(installed, tmp_path / "copy", 3)


def test_packages_that_name_keras_come_first(case: Case, tmp_path: Path) -> None:
    names = [path.relative_to(tmp_path / "copy").as_posix() for path in case.files]
    assert names == ["beta/__init__.py", "beta/more.py", "alpha/__init__.py"]
    assert case.named == case.files[:2]
    assert case.told == "3 files, 3 lines; 2 name TensorFlow"


def test_each_file_of_the_sample_says_torch(case: Case, tmp_path: Path) -> None:
    few = sample(case, tmp_path, 5)
    assert len(few.files) == 2
    assert all(b"torch" in path.read_bytes() for path in few.files)


def test_the_cases_are_as_large_as_they_say(tmp_path: Path) -> None:
    for name in ("hook", "together", "long", "notebooks"):
        (tmp_path / name).mkdir()
    assert len(hook(tmp_path / "hook").files) == 3
    assert len(list((tmp_path / "hook").iterdir())) == 600
    assert len(together(tmp_path / "together").named) == 3
    assert len(list((tmp_path / "together").iterdir())) == 100
    (path,) = long_file(tmp_path / "long").files
    compile(path.read_text(), "long.py", "exec")
    assert len(path.read_text().splitlines()) == 10_000
    assert len(notebooks(tmp_path / "notebooks").named) == 40


def test_a_hooks_files_are_changed_for_some_runs(tmp_path: Path) -> None:
    case = hook(tmp_path)
    told = commands(case, tmp_path)
    assert told["tfxla-lint, changed files"] == told["tfxla-lint, cached"]
    before = [path.read_bytes() for path in case.files]
    change(case)
    assert all(a != b for a, b in zip(before, [p.read_bytes() for p in case.files], strict=True))
    assert "tfxla-lint, changed files" not in commands(long_file(tmp_path), tmp_path)


def test_the_table_has_seconds_spread_and_ratio(case: Case) -> None:
    lines = list(table(case, ROWS))
    assert "| LibCST's parse | 2.00 | 2.50 | 1.00 to 1.00 | 3.00 | 100 |" in lines
    assert "| tfxla-lint, one core | 3.00 | 3.20 | 1.28 to 1.50 | 4.00 | 200 |" in lines


def test_the_plot_has_a_bar_for_each_tool(case: Case) -> None:
    drawn = ElementTree.fromstring(plot(case, ROWS))
    bars = [float(bar.attrib["width"]) for bar in drawn.iter("{http://www.w3.org/2000/svg}rect")]
    assert bars == [307.0, 460.0]
