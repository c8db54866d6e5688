"""Runs `check` again whenever a file changes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import click

from tfxla_lint.cache.replay import Run
from tfxla_lint.cli.console import Messages, emit, is_unread
from tfxla_lint.discovery import discover
from tfxla_lint.reporters.text import counted
from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.resolver import OWN_FILE, PYPROJECT, SettingsResolver

_TICK = 0.3

#: Each file with when it was written, and how long it is.
_State = dict[Path, tuple[int, int]]


def watch(
    paths: Sequence[str], run: Callable[[], int], resolver: Callable[[], SettingsResolver]
) -> NoReturn:
    """Run, and again after each change of a file, until Ctrl-C, or until nobody reads what is said."""
    Run.forget()
    while True:
        if sys.stdout.isatty():
            emit("\x1b[2J\x1b[H")
        before = _state(paths, resolver)
        run()
        if is_unread():
            raise click.exceptions.Exit(0)
        Messages().summary(f"Watching {counted(len(before), 'file')}; Ctrl-C ends it.")
        while _state(paths, resolver) == before:
            time.sleep(_TICK)


def _state(paths: Sequence[str], resolver: Callable[[], SettingsResolver]) -> _State:
    """What the files and their settings are like, as far as it can be seen without reading them."""
    found: set[Path] = set()
    try:
        folders = {Path.cwd()}
    except FileNotFoundError:
        raise click.ClickException("the working folder is gone") from None
    try:
        for target in discover(tuple(paths), resolver()).files:
            found.add(target.path)
            folders.update(layer.base for layer in target.settings.layers)
    except SettingsError:
        # What is wrong will be mended in one of the files below.
        found.clear()
    found |= {folder / name for folder in folders for name in (OWN_FILE, PYPROJECT)}
    state: _State = {}
    for path in found:
        try:
            status = os.stat(path)
        except OSError:
            continue
        state[path] = (status.st_mtime_ns, status.st_size)
    return state
