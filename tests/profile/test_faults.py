"""Programs that turn on the process that records them: an end that is told, and nothing left."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.profile.programs import functions, run, write
from tests.sandbox.test_faults import ends_soon

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="these are ways of POSIX")

HEAD = "import os, resource, signal, sys, time\n\n\ndef f(n):\n    return n\n\n\nf(1)\n"
DAEMON = """
if not os.fork():
    os.setsid()
    if not os.fork():
        open("daemon", "w").write(str(os.getpid()))
        time.sleep(60)
    os._exit(0)
while not os.path.exists("daemon") or not open("daemon").read():
    time.sleep(0.01)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose a process is")
def test_a_daemon_ends_with_the_program(tmp_path: Path) -> None:
    write(tmp_path, train=HEAD + DAEMON)
    started = time.monotonic()
    assert run(tmp_path, "train.py").status == 0
    assert time.monotonic() - started < 20
    assert ends_soon(int((tmp_path / "daemon").read_text()))


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("os.fork()\nf(2)", 0),
        ("pid = os.fork()\nif pid:\n    os.waitpid(pid, 0)\nf(2)", 0),
        ("os.closerange(0, 256)\nf(2)", 0),
        ("sys.stdout.close()\nsys.stderr.close()\nf(2)", 0),
        ("os.chdir('/')\nos.umask(0o777)\nsys.setrecursionlimit(60)\nf(2)", 0),
        ("resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\nf(2)\nos._exit(3)", 3),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nf(2)\nsys.exit(4)", 4),
    ],
)
def test_what_a_program_does_to_its_process_costs_no_recording(
    tmp_path: Path, code: str, status: int
) -> None:
    write(tmp_path, train=f"{HEAD}{code}\n")
    outcome = run(tmp_path, "train.py", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert outcome.status in (status, 120), "Python says 120 where it cannot flush its output"
    assert functions(outcome)["f"].eager == 2


@pytest.mark.parametrize(
    "code",
    [
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))",
        "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))",
    ],
)
def test_a_recording_that_cannot_be_written_is_told(tmp_path: Path, code: str) -> None:
    write(tmp_path, train=f"{HEAD}{code}\n")
    outcome = run(tmp_path, "train.py", stderr=subprocess.DEVNULL)
    assert outcome.recording is None
    assert outcome.problem == "the program has ended without a recording"


def test_a_program_that_is_stopped_ends_at_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tfxla_lint.profile.launch.GRACE_SECONDS", 0.3)
    write(tmp_path, train=f"{HEAD}os.kill(os.getpid(), signal.SIGSTOP)\n")
    outcome = run(tmp_path, "train.py", time_limit=0.5)
    assert outcome.timed_out
    assert outcome.seconds < 15
