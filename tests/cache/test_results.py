"""What a kept result rests on: every byte of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tfxla_lint.cache.memory import ProjectMemory
from tfxla_lint.cache.results import Results
from tfxla_lint.cache.store import Store
from tfxla_lint.findings import Finding, Level, Span
from tfxla_lint.linter import Crash
from tfxla_lint.notebooks.reading import source_of
from tfxla_lint.project.projects import Project, Projects
from tfxla_lint.project.scan import Scan, scan
from tfxla_lint.results import FileResult
from tfxla_lint.settings.taught import Taught
from tfxla_lint.work import LintOptions, Work

FILES = {
    "a.py": b"import tensorflow as tf\nimport b\n",
    "b.py": b"import tensorflow as tf\nimport c\n",
    "c.py": b"x = 1\n",
    "other.py": b"y = 1\n",
    "profile.json": b"{}",
}
OPTIONS = LintOptions(frozenset({"TXL101"}), frozenset({"TXL101"}), (2, 12), "profile.json")
OTHERS: dict[str, Any] = {
    "enabled": frozenset({"TXL102"}),
    "fixable": frozenset(),
    "tf_version": (2, 13),
    "profile": None,
    "may_use_tf_keras": True,
    "is_version_set": True,
    "taught": Taught(traces=("fast.compiled",)),
    "takes_newer": True,
}


class Bench:
    """A project and a store; counts how often a file is linted."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.store = Store(root / "cache")
        self.linted = 0
        self.tool = "tool"

    def write(self, files: dict[str, bytes]) -> None:
        for name, data in files.items():
            (self.root / name).write_bytes(data)

    def lint(self, name: str, options: LintOptions = OPTIONS, **values: Any) -> FileResult:
        """The result of a file; `values` are those of a fresh one."""
        options = replace(options, profile=options.profile and str(self.root / options.profile))
        projects = Projects([Project.of(self.root, self.root.glob("*.py"))])
        work = Work(self.root / name, name, options)

        def linted(works: list[Work]) -> list[FileResult]:
            self.linted += 1
            return [FileResult(name, suppressed=self.linted, **values)]

        return Results(self.tool, projects).through([work], [self.store], linted)[0]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path)
    bench.write(FILES)
    return bench


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["a.py", "b.py", "c.py", "profile.json"]),
    st.integers(0, 40),
    st.binary(max_size=2),
)
def test_any_byte_of_what_it_rests_on(bench: Bench, name: str, place: int, new: bytes) -> None:
    # Another example may have made the same file: its result is another tool's.
    bench.tool = str(bench.linted)
    bench.write(FILES)
    first = bench.lint("a.py")
    assert bench.lint("a.py") == first
    data = FILES[name]
    changed = data[:place] + new + data[place + 1 :]
    bench.write({name: changed})
    before = bench.linted
    assert (bench.lint("a.py") == first) == (changed == data)
    assert bench.linted == before + (changed != data)


def test_what_it_does_not_rest_on(bench: Bench) -> None:
    first = bench.lint("a.py"), bench.lint("other.py")
    bench.write({"other.py": b"y = 2\n"})
    assert bench.lint("a.py") == first[0]
    bench.write({"other.py": FILES["other.py"], "a.py": b"import tensorflow\n"})
    assert bench.lint("other.py") == first[1]


@pytest.mark.parametrize(
    ("code", "name", "is_one"),
    [
        ("TXL101", "missing-tf-function", True),
        ("TXL101", "x\n::error::y", False),
        ("\x1b[31mTXL101", "missing-tf-function", False),
    ],
)
def test_a_kept_finding_names_a_rule(bench: Bench, code: str, name: str, is_one: bool) -> None:
    """Reports show it as it is."""
    found = Finding(code, name, Level.WARNING, "why", "a.py", Span(0, 1, 1, 1, 1, 2))
    source = source_of(FILES["a.py"], "a.py")
    bench.lint("a.py", findings=(found,), source=source)
    bench.lint("a.py", findings=(found,), source=source)
    assert bench.linted == (1 if is_one else 2)


@pytest.mark.parametrize("option", OTHERS)
def test_every_option_counts(bench: Bench, option: str) -> None:
    assert set(OTHERS) == set(LintOptions.__dataclass_fields__)
    bench.lint("a.py")
    bench.lint("a.py", replace(OPTIONS, **{option: OTHERS[option]}))
    assert bench.linted == 2


def test_the_tool_counts(bench: Bench) -> None:
    bench.lint("a.py")
    bench.tool = "newer"
    bench.lint("a.py")
    assert bench.linted == 2


@pytest.mark.parametrize(
    "trouble", [{"problem": "the process died"}, {"crashed": (Crash("TXL1", "x"),)}]
)
def test_what_went_wrong_is_tried_again(bench: Bench, trouble: dict[str, Any]) -> None:
    bench.lint("a.py", **trouble)
    bench.lint("a.py")
    assert bench.linted == 2


@pytest.mark.parametrize(
    ("change", "scanned"),
    [
        ({}, 0),
        ({"c.py": b"x = 2\n"}, 1),
        ({"c.py": b"import other\n"}, 1),
        ({"d.py": b"import a"}, 1),
    ],
)
def test_only_what_changed_in_a_project_is_scanned(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, change: dict[str, bytes], scanned: int
) -> None:
    memory = ProjectMemory({bench.root: bench.store}, "tool")
    seen: list[bytes] = []

    def noting(data: bytes, is_package: bool = False) -> Scan:
        seen.append(data)
        return scan(data, is_package)

    Project.of(bench.root, bench.root.glob("*.py"), memory)
    bench.write(change)
    monkeypatch.setattr("tfxla_lint.project.projects.scan", noting)
    known = Project.of(bench.root, bench.root.glob("*.py"), memory)
    assert len(seen) == scanned
    fresh = Project.of(bench.root, bench.root.glob("*.py"))
    assert known == replace(fresh, layout=known.layout)
