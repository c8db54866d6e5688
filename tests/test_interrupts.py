"""An interrupt that Python loses still ends the run."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

LOSES_THE_INTERRUPT = """
import os, signal, weakref
from tfxla_lint import interrupts

class Thing: pass

interrupts.listen()
thing = Thing()
reference = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGINT))
del thing
print("went on", flush=True)
interrupts.raise_if_interrupted()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_an_interrupt_in_a_callback_is_not_lost() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOSES_THE_INTERRUPT], capture_output=True, text=True, check=False
    )
    assert done.stdout == "went on\n"
    assert done.returncode == -signal.SIGINT
    assert "Exception ignored" not in done.stderr
