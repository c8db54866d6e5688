"""Programs that turn on the process that runs them: the next one is not harmed, and nothing is left."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tfxla_lint.sandbox import jobs
from tfxla_lint.sandbox.jobs import Death, Worker, WorkerError
from tfxla_lint.sandbox.limits import Limits

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="these are ways of POSIX")

WORKER = """
import os, resource, signal, sys, time, types

from tfxla_lint.sandbox.inside.kept import kept_process
from tfxla_lint.sandbox.inside.service import serve

def main():
    serve(prepare)

def prepare():
    sys.modules["tensorflow"] = types.SimpleNamespace(__version__="0.1")
    return answer

def answer(job, tell):
    with kept_process():
        exec(job.get("code", ""), globals())
    return {"said": eval(job.get("say", "None"))}
"""
LIMITS = Limits(10.0, 1 << 30)
DAEMON = """
if not os.fork():
    os.setsid()
    if not os.fork():
        open({noted!r}, "w").write(str(os.getpid()))
        time.sleep(60)
    os._exit(0)
while not os.path.exists({noted!r}) or not open({noted!r}).read():
    time.sleep(0.01)
"""
#: What a program does to its process, and what asks whether that is still so.
CHANGES = {
    "the number of open files": (
        "resource.setrlimit(resource.RLIMIT_NOFILE, (9, resource.getrlimit(7)[1]))",
        "resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 9",
    ),
    "the size of files": (
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(1)[1]))",
        "resource.getrlimit(resource.RLIMIT_FSIZE)[0] == 0",
    ),
    "the address space": (
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 27, -1))",
        "resource.getrlimit(resource.RLIMIT_AS)[0] == 1 << 27",
    ),
    "a timer": ("signal.alarm(100)", "signal.alarm(0) != 0"),
    "a handler": (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
        "signal.getsignal(signal.SIGTERM) == signal.SIG_IGN",
    ),
    "blocked signals": (
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])",
        "bool(signal.pthread_sigmask(signal.SIG_BLOCK, []))",
    ),
    "the mask of modes": ("os.umask(0o777)", "os.umask(0o022) == 0o777"),
    "recursion": ("sys.setrecursionlimit(77)", "sys.getrecursionlimit() == 77"),
    "standard output": ("sys.stdout.close()", "sys.stdout.closed"),
    "standard error": ("sys.stderr.close()", "sys.stderr.closed"),
}


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Worker:
    folder = tmp_path_factory.mktemp("faults")
    (folder / "kit").mkdir()
    (folder / "kit" / "work.py").write_text(WORKER)
    return Worker("kit.work", sys.executable, folder)


@pytest.fixture(autouse=True)
def _stopped(worker: Worker) -> object:
    with worker:
        yield


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_program_changes_of_its_process_is_put_back(worker: Worker, name: str) -> None:
    change, question = CHANGES[name]
    changed = {"code": f"{change}\nassert {question}, 'it was not changed'\n{change}"}
    assert worker.run({**changed, "say": question}, LIMITS)["said"] is False
    again = {"code": "print('said'); sys.stderr.write('said')", "say": question}
    assert worker.run(again, LIMITS)["said"] is False


def test_what_cannot_be_put_back_costs_the_process(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may put back a hard limit: the refusal is played here."""
    refuse = (
        "from tfxla_lint.sandbox.inside import kept\n"
        "def refuse(*words): raise ValueError('not allowed to raise maximum limit')\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        "kept.resource = types.SimpleNamespace(**{**vars(resource), 'setrlimit': refuse})\n"
    )
    pids = [
        worker.run({"code": code, "say": "os.getpid()"}, LIMITS)["said"]
        for code in ("", refuse if os.getuid() else refuse.replace("(0, 0)", "(1, -1)"), "")
    ]
    assert pids[0] == pids[1] != pids[2]


@pytest.mark.parametrize("waits", [True, False])
def test_a_forked_process_answers_nothing(worker: Worker, waits: bool) -> None:
    code = "pid = os.fork()\n" + ("pid and os.waitpid(pid, 0)\n" if waits else "")
    for number in range(4):
        job = {"code": code, "say": f"{number}"}
        assert worker.run(job, LIMITS)["said"] == number


def test_a_forked_process_that_answers_all_the_same_is_not_heard(worker: Worker) -> None:
    late = 'b\'{"event": "answer", "job": 1, "said": "late"}\\n\''
    code = f"[os.write(fd, {late}) for fd in range(3, 12) if not os.isatty(fd) and can(fd)]"
    can = "def can(fd):\n    import fcntl\n    try:\n        return fcntl.fcntl(fd, 3) & 1\n"
    can += "    except OSError:\n        return False\n"
    worker.run({"say": "1"}, LIMITS)
    assert worker.run({"code": can + code, "say": "'in time'"}, LIMITS)["said"] == "in time"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose a process is")
def test_a_daemon_ends_with_its_worker(worker: Worker, tmp_path: Path) -> None:
    noted = tmp_path / "daemon"
    worker.run({"code": DAEMON.format(noted=str(noted))}, LIMITS)
    assert is_alive(int(noted.read_text()))
    started = time.monotonic()
    worker.stop()
    assert time.monotonic() - started < 5, "it did not wait for the daemon, which holds the pipes"
    assert ends_soon(int(noted.read_text()))


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("os._exit(0)", "crash", "the process ended with status 0"),
        ("os._exit(7)", "crash", "the process ended with status 7"),
        ("os.kill(os.getpid(), 9)", "crash", "the process was ended by SIGKILL"),
        ("os.kill(os.getpid(), signal.SIGSTOP)", "timeout", "it ran for more than 1 s"),
        ("os.closerange(0, 256)", "crash", "the process ended with status"),
        ("signal.alarm(1); time.sleep(30)", "crash", "the process was ended by SIGALRM"),
        (
            "resource.setrlimit(resource.RLIMIT_CPU, (1, 9))\nwhile True: pass",
            "crash",
            "the process was ended by SIGXCPU",
        ),
    ],
)
def test_an_end_is_a_verdict_and_nothing_is_left(
    worker: Worker, code: str, kind: str, words: str
) -> None:
    seconds = 1.0 if kind == "timeout" else 10.0
    pid, folder = worker.run({"say": "(os.getpid(), os.getcwd())"}, LIMITS)["said"]
    with pytest.raises(Death, match=words) as death:
        worker.run({"code": code}, Limits(seconds, 1 << 30))
    assert death.value.kind == kind
    assert not Path("/proc", str(pid)).exists()
    assert not os.path.exists(folder)
    assert worker.run({"say": "'next'"}, LIMITS)["said"] == "next"


def test_what_a_forked_process_takes_counts(worker: Worker) -> None:
    eat = "kept = os.urandom(1 << 16) * (300 << 4); time.sleep(60)"
    code = f"pid = os.fork()\nif not pid:\n    {eat}\nos.waitpid(pid, 0)\n"
    with pytest.raises(Death, match="it took more than 200 MB of memory"):
        worker.run({"code": code}, Limits(30.0, 200 << 20))


def test_a_flood_fills_neither_disk_nor_memory(worker: Worker) -> None:
    """What is printed between programs goes nowhere, and no file grows without end."""
    code = "for _ in range(300): os.write(1, b'x' * (1 << 20))"
    folder = worker.run({"code": code, "say": "os.getcwd()"}, LIMITS)["said"]
    assert sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()) == 0
    most = "resource.getrlimit(resource.RLIMIT_FSIZE)[0]"
    assert worker.run({"say": most}, LIMITS)["said"] == 2 << 30
    grow = "f = open('f', 'wb')\ntry:\n    f.seek(2 << 30); f.write(b'x'); f.flush()\n"
    grow += "except OSError as e:\n    error = str(e)\n"
    assert "File too large" in worker.run({"code": grow, "say": "error"}, LIMITS)["said"]


# Interpreters that are none, or have no TensorFlow that fits


def interpreter(folder: Path, text: str) -> str:
    path = folder / "python"
    path.write_text(f"#!{sys.executable}\nimport os, sys, time\n{text}\n")
    path.chmod(0o755)
    return str(path)


BROKEN = """
import sys, types
from tfxla_lint.sandbox.inside import service

def main():
    service.installed = lambda: iter(VERSIONS)
    service.serve(prepare)

def prepare():
    raise ERROR
"""
NOT_BUILT = "AttributeError('_ARRAY_API not found')"
ATTRIBUTE = "AttributeError(\"module 'tensorflow' has no attribute 'function'\")"


@pytest.mark.parametrize(
    ("error", "versions", "words"),
    [
        (
            "ModuleNotFoundError(\"No module named 'tensorflow'\")",
            {},
            "No module named 'tensorflow'; name the interpreter that has it with --python, or",
        ),
        (
            NOT_BUILT,
            {"tensorflow": "2.12.1", "numpy": "2.1.0"},
            "_ARRAY_API not found; NumPy 2.1.0 seems not to fit TensorFlow 2.12.1: install one that"
            " it asks for",
        ),
        (
            ATTRIBUTE,
            {"tensorflow": "1.15.0", "numpy": "1.18.5"},
            "'function'; TensorFlow 1.15.0 is too old, it takes 2.12 or newer",
        ),
        ("ImportError('a\\nb')", {"tensorflow": "2.15.0", "numpy": "1.26"}, "ImportError: a b"),
        ("SystemExit('no licence')", {}, "SystemExit: no licence"),
    ],
)
def test_a_tensorflow_that_does_not_run_is_named(
    tmp_path: Path, error: str, versions: dict[str, str], words: str
) -> None:
    (tmp_path / "kit").mkdir()
    rows = f"VERSIONS = {list(versions.items())!r}\n"
    (tmp_path / "kit" / "work.py").write_text(rows + BROKEN.replace("ERROR", error))
    with pytest.raises(WorkerError) as told:
        Worker("kit.work", sys.executable, tmp_path).start()
    (line,) = str(told.value).splitlines()
    assert line.startswith(f"{sys.executable} cannot run TensorFlow: ")
    assert line.endswith(words) or words in line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("while True: os.write(1, b'x' * (1 << 16))", "it does not answer"),
        ("while True: os.write(2, b'x' * (1 << 16))", "it does not answer"),
        ("os.write(2, b'why' + b'!' * (1 << 20)); sys.exit(3)", "!!!"),
        ("os.kill(os.getpid(), 4)", "the process was ended by SIGILL"),
        ("os.close(1); os.close(2); time.sleep(60)", "the process closed its output"),
        ('print(\'{"event": "ready"}\'); time.sleep(60)', "it does not answer"),
        ("print('{\"event\": []}'); time.sleep(60)", "it does not answer"),
        ("os.fork() and sys.exit(1); time.sleep(60)", "it does not answer"),
    ],
)
def test_an_interpreter_that_is_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    """It floods, closes, forks or dies: the tool says so in time, and leaves no process."""
    monkeypatch.setattr(jobs, "START_SECONDS", 1.0)
    monkeypatch.setattr(jobs, "_LAST_SECONDS", 0.5)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    python = interpreter(tmp_path, text)
    started = time.monotonic()
    with pytest.raises(WorkerError, match=words), Worker("kit.work", python, tmp_path) as process:
        process.start()
    assert time.monotonic() - started < 10
    assert list(temporary.iterdir()) == []
    assert (
        python not in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    )


def ends_soon(process: int) -> bool:
    """Whether a process that was told to end does: what is killed takes a moment to go."""
    started = time.monotonic()
    while is_alive(process) and time.monotonic() - started < 10:
        time.sleep(0.05)
    return not is_alive(process)


def is_alive(process: int) -> bool:
    """Whether a process runs still (one that waits to be reaped does not)."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
