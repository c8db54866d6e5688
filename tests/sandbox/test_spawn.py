"""A child runs the tool's own modules, whatever lies where it is started, and ends as a whole."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tfxla_lint.sandbox.limits import below, started_at
from tfxla_lint.sandbox.spawn import ENTRY, ROOT, Child, command, terminable

SHOWN = """
import json, sys

def main(*words):
    import colour
    from tfxla_lint.sandbox.inside import service
    files = [colour.__file__, service.__file__, sys.modules["string"].__file__]
    print(json.dumps([words, files, sys.path]))
"""
BROKEN = "raise ValueError('no')\n"


def package(folder: Path, name: str, **texts: str) -> Path:
    """A package in a folder of its own."""
    (folder / name).mkdir(parents=True)
    for module, text in {"__init__": "", **texts}.items():
        (folder / name / f"{module}.py").write_text(text)
    return folder


def test_nothing_of_the_users_is_found_by_the_tools_names(tmp_path: Path) -> None:
    root = package(tmp_path / "ours", "kit", show=SHOWN + "import string\n")
    users = package(tmp_path / "theirs", "kit", show=BROKEN)
    for name in ("tfxla_lint", "json", "service", "string", "enter", "types"):
        (users / f"{name}.py").write_text(BROKEN)
    (root / "colour.py").write_text("")
    words = [*command(sys.executable, "kit.show", root=root), "a", "b"]
    done = subprocess.run(
        words, cwd=users, env={**os.environ, "PYTHONPATH": str(users)}, capture_output=True
    )
    # What the user has is not found, and what the tool has beside its package neither.
    assert b"No module named 'colour'" in done.stderr, done.stderr
    (root / "kit" / "show.py").write_text(SHOWN.replace("import colour", "import string as colour"))
    done = subprocess.run(
        words, cwd=users, env={**os.environ, "PYTHONPATH": str(users)}, capture_output=True
    )
    given, files, path = json.loads(done.stdout)
    assert given == ["a", "b"]
    assert not any(file.startswith(str(tmp_path)) for file in files)
    assert not any(entry.endswith("inside") for entry in path)


def test_what_fails_is_said_in_one_line(tmp_path: Path) -> None:
    root = package(tmp_path, "kit", show=BROKEN)
    done = subprocess.run(
        command(sys.executable, "kit.show", root=root), capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr == f"error: the kit failed under {sys.executable}: ValueError: no\n"


def test_a_python_that_is_too_old_is_told(tmp_path: Path) -> None:
    entry = tmp_path / "enter.py"
    entry.write_text(ENTRY.read_text("utf-8").replace("(3, 8)", "(9, 9)"))
    done = subprocess.run(
        [sys.executable, str(entry), "kit.show", str(tmp_path)], capture_output=True, text=True
    )
    version = ".".join(map(str, sys.version_info[:2]))
    assert done.returncode == 2
    assert done.stderr.endswith(f"RuntimeError: Python {version} is too old\n")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups")
def test_what_a_child_started_ends_with_it(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    code = (
        "import subprocess, sys, time\n"
        "inner = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(noted)!r}, 'w').write(str(inner.pid))\n"
        "time.sleep(60)\n"
    )
    child = Child([sys.executable, "-c", code])
    stop = time.monotonic() + 20
    while not (noted.exists() and noted.read_text()) and time.monotonic() < stop:
        time.sleep(0.05)
    assert not child.wait(0.0)
    child.end()
    assert child.process.returncode == -signal.SIGKILL
    inner = Path("/proc", noted.read_text(), "stat")
    while inner.exists() and inner.read_text().split()[2] != "Z" and time.monotonic() < stop:
        time.sleep(0.05)
    assert not inner.exists() or inner.read_text().split()[2] == "Z"


LEAVING = """
import os, subprocess, sys, time
sys.path.insert(0, {root!r})
from tfxla_lint.sandbox.inside.service import die_with_parent
die_with_parent()
code = "import os, time; open({noted!r}, 'w').write(str(os.getpid())); time.sleep(60)"
subprocess.Popen(["setsid", "-f", sys.executable, "-c", code], env={{}})
time.sleep({seconds})
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
@pytest.mark.parametrize("ends_first", [False, True])
def test_what_left_its_group_and_cleared_its_environment_ends_as_well(
    tmp_path: Path, ends_first: bool
) -> None:
    noted = tmp_path / "pid"
    code = LEAVING.format(root=str(ROOT), noted=str(noted), seconds=1.0 if ends_first else 60)
    child = Child([sys.executable, "-c", code])
    stop = time.monotonic() + 20
    while not (noted.exists() and noted.read_text()) and time.monotonic() < stop:
        child.wait(0.05)
    inner = int(noted.read_text())
    assert inner in below(child.process.pid)
    assert child.wait(5.0) is ends_first
    assert started_at(inner)
    child.end()
    while started_at(inner) and time.monotonic() < stop:
        time.sleep(0.05)
    assert not started_at(inner)


def test_signals_that_end_unwind_and_ignored_ones_stay_ignored() -> None:
    with pytest.raises(KeyboardInterrupt), terminable():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with terminable():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
