"""The profile file as it is read: what belongs to which code, and what is out of date."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tfxla_lint.recording import Recording, RecordingError, places

SOURCE = """\
import tensorflow as tf


class A:
    @tf.function
    def step(self, x):
        for i in range(3):  # three
            x = x + i
        return x


async def step(x):
    def inner():
        while x:
            pass

    return inner
"""


def mark(qualname: str, line: int) -> str:
    """The digest of a function or loop of SOURCE."""
    return next(p.digest for p in places(SOURCE) if (p.qualname, p.line) == (qualname, line))


def function(qualname: str = "A.step", line: int = 6, **more: Any) -> dict[str, Any]:
    """A row of the file."""
    row: dict[str, Any] = {
        "path": "src/a.py",
        "qualname": qualname,
        "line": line,
        "digest": mark(qualname, line),
        "calls": {"eager": 0, "graph": 0, "traced": 0, "symbolic": 0},
        "described": 0,
        "traces": 0,
        "tf_functions": 0,
        "compiled": 0,
        "retraces": [],
        "seconds": {},
        "parameters": ["self", "x"],
        "arguments": [],
    }
    return {**row, **more}


def content(*functions: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A file."""
    found: dict[str, Any] = {
        "format": "tfxla-lint profile",
        "version": 1,
        "root": ".",
        "seconds": 1.0,
        "functions": list(functions),
        "loops": [],
    }
    return {**found, **more}


def test_places_are_found_with_their_names_and_lines() -> None:
    found = [(place.qualname, place.line, place.is_loop) for place in places(SOURCE)]
    assert found == [
        ("A.step", 6, False),
        ("A.step", 7, True),
        ("step", 12, False),
        ("step.inner", 13, False),
        ("step.inner", 14, True),
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# three", "# noqa: TXL102"),
        ("  # three", ""),
        ("        return x\n", "\n        # the result\n        return x  \n"),
        ("\n", "\r\n"),
        ("import tensorflow as tf\n", "import tensorflow as tf\nimport os\n"),
    ],
)
def test_comments_blanks_and_moves_keep_a_record(old: str, new: str) -> None:
    recording = Recording(content(function()), "/project")
    assert [*recording.of("/project/src/a.py", SOURCE.replace(old, new)).functions]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x + i", "x + 2 * i"),
        ("@tf.function", "@tf.function()"),
        ("def step(self, x)", "def step(self, x, y)"),
        ("        return x\n", "            return x\n"),
        ("class A", "class B"),
    ],
)
def test_other_code_has_no_record(old: str, new: str) -> None:
    recording = Recording(content(function()), "/project")
    assert not recording.of("/project/src/a.py", SOURCE.replace(old, new)).functions


def test_of_equal_functions_the_nearest_is_meant() -> None:
    rows = [function(line=6, traces=1), {**function(traces=2), "line": 40}]
    found = Recording(content(*rows), "/project").of("/project/src/a.py", "\n" * 30 + SOURCE)
    assert found.functions[36].traces == 2


def test_paths_start_from_the_root(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    file = tmp_path / "out" / "profile.json"
    file.write_text(json.dumps(content(function(), root="..")))
    recording = Recording.read(str(file))
    assert recording.of(str(tmp_path / "src" / "a.py"), SOURCE).functions
    assert not recording.of(str(tmp_path / "a.py"), SOURCE).functions
    assert not recording.of("-", SOURCE).functions
    assert not recording.of(str(tmp_path / "src" / "a.py"), "def broken(").functions


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "it is no JSON"),
        ("[]", "no profile"),
        ("{}", "no profile"),
        (json.dumps(content(version=2)), "version 2 of the format, not 1"),
        (json.dumps(content(functions=[{}])), "damaged: KeyError 'path'"),
        (json.dumps(content(function(calls=3))), "damaged"),
        (json.dumps(content(root=None)), "damaged"),
        (json.dumps(content(functions=[{**function(), "traces": float("inf")}])), "damaged"),
        ("[" * 100_000, "it is no JSON"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "profile.json"
    file.write_text(text)
    with pytest.raises(RecordingError, match=message):
        Recording.read(str(file))


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="No such file"):
        Recording.read(str(tmp_path / "none.json"))
