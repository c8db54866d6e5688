"""Code that hangs, eats memory, ends the process or writes files: a verdict, and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tfxla_lint.sandbox.jobs import WorkerError
from tfxla_lint.sandbox.limits import Limits
from tfxla_lint.verify.pairs import Options, Pair
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.verdicts import Outcome
from tfxla_lint.verify.verifier import Verifier

from .conftest import Verify

HEAD = "import os\nimport tensorflow as tf\n\n\ndef f(x):\n"
CALL = "\n\ny = f(tf.constant(2.0))\n"
GOOD = HEAD + "    return x * 3.0" + CALL
HOSTILE = {
    "loops for ever": "    while True:\n        pass\n",
    "allocates without end": (
        "    kept = []\n    while True:\n        kept.append(bytearray(os.urandom(1 << 20) * 16))\n"
    ),
    "ends the process": "    os._exit(0)\n",
    "segfaults": "    import ctypes\n    ctypes.string_at(0)\n",
    "aborts": "    os.abort()\n",
}
each_hostile = pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
LIMITS = {"seconds": 2.0, "memory": 1400 << 20}


@each_hostile
def test_hostile_rewrite_differs(body: str, verify: Verify) -> None:
    (verdict,) = verify(GOOD, HEAD + body + CALL, **LIMITS)
    assert verdict.outcome is Outcome.DIFFERS
    assert verdict.evidence


@pytest.mark.parametrize("name", ["loops for ever", "ends the process"])
def test_hostile_original_is_not_checked(name: str, verify: Verify) -> None:
    (verdict,) = verify(HEAD + HOSTILE[name] + CALL, GOOD, **LIMITS)
    assert verdict.outcome is Outcome.NOT_CHECKED
    assert "the original did not end well" in verdict.reason


def test_the_next_verdict_is_not_harmed(verify: Verify) -> None:
    verify(GOOD, HEAD + HOSTILE["ends the process"] + CALL, **LIMITS)
    (verdict,) = verify(GOOD, GOOD.replace("x * 3.0", "3.0 * x"))
    assert verdict.outcome is Outcome.EQUIVALENT


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.parametrize("waits", [False, True])
def test_a_program_that_forks_does_not_speak_for_the_next(verify: Verify, waits: bool) -> None:
    fork = "\n\npid = os.fork()\n" + ("pid and os.waitpid(pid, 0)\ndel pid\n" if waits else "")
    text = GOOD.replace("\n\ny =", f"{fork}\ny =")
    (verdict,) = verify(text, text.replace("x * 3.0", "3.0 * x"))
    assert verdict.outcome is Outcome.EQUIVALENT
    (verdict,) = verify(GOOD, GOOD.replace("x * 3.0", "x * 4.0"))
    assert verdict.outcome is Outcome.DIFFERS


def test_files_are_written_to_a_folder_that_goes_away(verify: Verify, tmp_path: Path) -> None:
    before = sorted(Path.cwd().iterdir()), sorted(tmp_path.iterdir())
    write = "    open('made.txt', 'w').write('x')\n    os.mkdir('folder')\n    return x * 3.0"
    (verdict,) = verify(HEAD + write + CALL, HEAD + write.replace("x *", "1.0 * x *") + CALL)
    assert verdict.outcome is Outcome.EQUIVALENT
    assert (sorted(Path.cwd().iterdir()), sorted(tmp_path.iterdir())) == before


def test_what_code_prints_or_reads_does_not_reach_the_tool(verify: Verify) -> None:
    body = "    os.write(1, b'{\"event\": \"answer\"}\\n')\n    print('x', flush=True)\n"
    read = "    try:\n        input()\n    except EOFError:\n        pass\n    return x * 3.0"
    (verdict,) = verify(
        HEAD + body + read + CALL, HEAD + body + read.replace("x * 3.0", "3.0 * x") + CALL
    )
    assert verdict.outcome is Outcome.EQUIVALENT


DEEP = {"for the parser": "-" * 20_000 + "1", "for a tree": "0" + "+1" * 20_000}
each_deep = pytest.mark.parametrize("code", DEEP.values(), ids=DEEP)


@each_deep
def test_code_beside_it_that_is_nested_too_deeply_is_passed_over(
    code: str, verify: Verify, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "other.py").write_text(f"from module import f\nz = {code}\nf(z)\n")
    original = HEAD + "    return x * 3.0\n"
    (verdict,) = verify(original, original.replace("x * 3.0", "3.0 * x"))
    assert verdict.outcome is Outcome.EQUIVALENT


@each_deep
def test_what_is_nested_too_deeply_itself_is_not_checked(code: str, verify: Verify) -> None:
    (verdict,) = verify(GOOD, f"{GOOD}z = {code}\n")
    assert verdict.outcome is Outcome.NOT_CHECKED
    assert "it does not parse" in verdict.reason


def test_an_interpreter_without_tensorflow_is_named(tmp_path: Path) -> None:
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\nexit 3\n")
    fake.chmod(0o755)
    for python in (str(fake), str(tmp_path / "none")):
        with pytest.raises(WorkerError, match=r"python|none"), Worker(python) as worker:
            worker.start()


def test_an_interrupt_leaves_no_process(tmp_path: Path) -> None:
    old, new, noted = (tmp_path / name for name in ("old.py", "new.py", "pid.txt"))
    old.write_text(GOOD)
    text = f"    open({str(noted)!r}, 'w').write(str(os.getpid()))\n" + HOSTILE["loops for ever"]
    new.write_text(HEAD + text + CALL)
    command = [sys.executable, "-m", "tfxla_lint", "verify", "--original", str(old)]
    process = subprocess.Popen([*command, "--rewritten", str(new)], start_new_session=True)
    stop = time.monotonic() + 90
    while not (noted.exists() and noted.read_text()) and time.monotonic() < stop:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    assert not Path(f"/proc/{noted.read_text()}").exists()


def test_the_worker_is_replaced_after_a_death(tmp_path: Path, worker: Worker) -> None:
    path = tmp_path / "m.py"
    pair = Pair(path, "m.py", GOOD, HEAD + HOSTILE["aborts"] + CALL)
    verdicts = Verifier(worker, Options(Limits(20))).verify(pair)
    assert "SIGABRT" in verdicts[0].evidence[0].after
