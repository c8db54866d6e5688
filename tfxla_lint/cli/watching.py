"""Runs `check` again whenever something changes that it looked at."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
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
        before = _state(looked_at, folders)
        files = [key for key in looked_at if not _is_no_file(key) and before[key] is not None]
        Messages().summary(f"Watching {counted(len(files), 'file')}; Ctrl-C ends it.")
        if any(map(partial(_has_changed, began), looked_at)):
            continue
        while _state(looked_at, Folders()) == before:
            time.sleep(_TICK)


def _state(looked_at: Iterable[str], folders: Folders) -> _State:
    """What files are like now, and what lay in folders when these were first listed."""
    return {key: folders.state(key) if _is_no_file(key) else _stamp(key) for key in looked_at}


def _has_changed(moment: int, key: str) -> bool:
    """Whether a file is another since `moment`, in ns; what is dated in the future is not."""
    stamp = None if _is_no_file(key) else _stamp(key)
    return stamp is not None and moment < max(stamp[:2]) <= time.time_ns()


def _is_no_file(key: str) -> bool:
    """Whether it stands for the names in a folder."""
    return key.endswith(os.sep) or "\0" in key


def _stamp(path: str) -> tuple[int, int, int] | None:
    """When a file was written, and put where it is, in ns, and how many bytes it has.

    Of a folder only that it is there: what lies in it is looked at by its names.
    """
    try:
        status = os.stat(path)
    except OSError:
        return None
    if stat.S_ISDIR(status.st_mode):
        return 0, 0, 0
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size
