"""What is looked at on the disk, and how often."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

NET = "import tensorflow as tf\n"
PROBE = """\
import json, os, sys
seen = []
def note(event, arguments):
    if event in ("os.listdir", "os.scandir"):
        seen.append(os.path.abspath(arguments[0] or "."))
from tfxla_lint.cli import main
sys.addaudithook(note)
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print()
print(json.dumps(seen))
"""


def write(root: Path, names: dict[str, str]) -> None:
    for name, text in names.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def listed(top: Path, folder: Path, *arguments: str) -> Counter[str]:
    """How often each folder in or above `top` is listed by one run in `folder`."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROBE, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    seen = [Path(name) for name in json.loads(done.stdout.splitlines()[-1])]
    inside = [path for path in seen if path.is_relative_to(top) or top.is_relative_to(path)]
    return Counter(str(path.relative_to(top)) for path in inside if path.is_relative_to(top))


@pytest.mark.parametrize("arguments", [["."], ["p/a/b"], ["p/train.py", "p/a/b/x.py"]])
@pytest.mark.parametrize("marker", ["p/pyproject.toml", "p/README.md", "p/.git/HEAD"])
def test_no_folder_is_listed_twice(tmp_path: Path, marker: str, arguments: list[str]) -> None:
    names = ["p/train.py", "p/a/net.py", "p/a/b/x.py", "p/a/c/d/y.py", "p/requirements/tf.txt"]
    names += ["p/docker/Dockerfile.gpu"]
    write(tmp_path, {marker: "", "p/.gitignore": "c/\n", **dict.fromkeys(names, NET)})
    counts = listed(tmp_path, tmp_path, *arguments)
    assert counts["p/a"] == 1
    assert set(counts.values()) == {1}


def test_no_folder_is_listed_twice_where_all_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TFXLA_LINT_NO_CACHE", "")
    names = ["train.py", "a/net.py", "a/b/x.py", "requirements/tf.txt"]
    write(tmp_path, {".git/HEAD": "", ".gitignore": "c/\n", **dict.fromkeys(names, NET)})
    listed(tmp_path, tmp_path, ".")
    for arguments in (["."], ["train.py"]):
        counts = listed(tmp_path, tmp_path, *arguments)
        assert set(counts) == {".", "a", "a/b", "requirements"}
        assert set(counts.values()) == {1}


@pytest.mark.parametrize("marker", [".git/HEAD", "notes.md"])
def test_a_file_without_tensorflow_costs_a_read(tmp_path: Path, marker: str) -> None:
    others = {f"p/m{number}/deep/x.py": NET for number in range(30)}
    write(tmp_path, {f"p/{marker}": "", "p/alone/a.py": "import os\n", **others})
    assert set(listed(tmp_path, tmp_path / "p" / "alone", "a.py")) <= {"p", "p/alone", "."}


def test_one_file_with_tensorflow_asks_for_its_project_only(tmp_path: Path) -> None:
    (tmp_path / "q").mkdir()
    write(tmp_path, {"p/setup.py": "", "p/a.py": "import os\n", "p/b/x.py": "import os\n"})
    write(tmp_path, {"q/setup.py": "", "q/a.py": NET, "q/b/x.py": NET})
    counts = listed(tmp_path, tmp_path, "p/a.py", "q/a.py")
    assert {"q", "q/b"} <= set(counts)
    assert "p/b" not in counts


def test_environments_and_data_inside_are_not_searched(tmp_path: Path) -> None:
    write(tmp_path, {"setup.py": "", "train.py": NET, "lib/net.py": NET})
    write(tmp_path, {"env/pyvenv.cfg": "", "env/lib/x.py": NET, "inner/.git/HEAD": ""})
    write(tmp_path, {"inner/src/x.py": NET, ".venv/lib/x.py": NET, "data/deep/x.py": NET})
    for number in range(1000):
        (tmp_path / "data" / f"{number}.png").touch()
    counts = listed(tmp_path, tmp_path, "train.py")
    # Another project inside may use this one: it is asked what it imports.
    assert set(counts) - {"."} == {"lib", "env", "inner", "inner/src", "data"}
