"""What is read comes to an end, whatever lies under its name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tfxla_lint import regular
from tfxla_lint.regular import regular_bytes

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")


def test_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x = 1\n")
    assert regular_bytes(tmp_path / "a.py") == b"x = 1\n"


@needs_pipes
def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.py")
    with pytest.raises(OSError, match="not a regular file"):
        regular_bytes(tmp_path / "a.py")


def read_all() -> None:
    """Read what a kernel shows as a file until there is no more."""
    for _ in range(1_000):
        regular_bytes("/proc/kmsg")


@pytest.mark.skipif(not os.path.exists("/proc/kmsg"), reason="there is no such file")
def test_what_a_kernel_shows_as_a_file_is_not_waited_for() -> None:
    """It says that it is a regular file, and has no end; who is not root may not open it."""
    with pytest.raises(OSError, match=r"never comes to an end|not permitted|denied"):
        read_all()


def test_what_is_too_large_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regular, "LARGEST", 1_000_000)
    with open(tmp_path / "a.py", "wb") as file:
        file.truncate(1_000_001)
    with pytest.raises(OSError, match="it is larger than 1 MB"):
        regular_bytes(tmp_path / "a.py")
