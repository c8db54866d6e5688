"""Runs `check` again whenever something changes that it looked at."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn

import click

from tfxla_lint.cache.replay import Run
from tfxla_lint.cli.console import Messages, emit, is_unread
from tfxla_lint.reporters.text import counted
from tfxla_lint.settings.folders import Folders

_TICK = 0.3

#: What was looked at, as `Folders` names it, with what tells that it is another.
_State = dict[str, object]


def watch(run: Callable[[Folders], object], written: Iterable[Path]) -> NoReturn:
    """Run, and again after each change, until Ctrl-C, or until nobody reads what is said.

    What `run` looks at it notes in the folders that it is given. What is `written` may change.
    """
    Run.forget()
    own = {os.path.abspath(path) for path in written}
    while True:
        if sys.stdout.isatty():
            emit("\x1b[2J\x1b[H")
        try:
            Path.cwd()
        except FileNotFoundError:
            raise click.ClickException("the working folder is gone") from None
        began = time.time_ns()
        folders = Folders()
        run(folders)
        if is_unread():
            raise click.exceptions.Exit(0)
        looked_at = {key for key in folders.looked_at() if key not in own}
        before = _state(looked_at)
        files = [key for key in looked_at if not _is_no_file(key) and before[key] is not None]
        Messages().summary(f"Watching {counted(len(files), 'file')}; Ctrl-C ends it.")
        if _changed_since(began, looked_at):
            continue
        while _state(looked_at) == before:
            time.sleep(_TICK)


def _state(looked_at: Iterable[str]) -> _State:
    """What it is like now, as far as it can be seen without reading files."""
    folders = Folders()
    return {key: folders.state(key) if _is_no_file(key) else _stamp(key) for key in looked_at}


def _changed_since(moment: int, looked_at: Iterable[str]) -> bool:
    """Whether a file was written after `moment`, in ns; what is dated in the future was not."""
    stamps = (_stamp(key) for key in looked_at if not _is_no_file(key))
    now = time.time_ns()
    return any(stamp is not None and moment < stamp[0] <= now for stamp in stamps)


def _is_no_file(key: str) -> bool:
    """Whether it stands for the names in a folder."""
    return key.endswith(os.sep) or "\0" in key


def _stamp(path: str) -> tuple[int, int] | None:
    """When a file was written, in ns, and how many bytes it has."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
