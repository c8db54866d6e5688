"""Finds the projects that the files of a run belong to: all Python files below their roots."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tfxla_lint.discovery import Target, discover
from tfxla_lint.project.projects import Project, Projects
from tfxla_lint.settings.resolver import SettingsResolver

#: A root with more entries than this is no project (a home folder, say): its files stand alone.
_MOST_ENTRIES = 60_000
_SKIPPED = frozenset({".git", ".venv", "venv", "node_modules", "__pycache__", "site-packages"})


def projects_of(targets: Iterable[Target], resolver: SettingsResolver) -> Projects:
    """The projects of some files that are linted.

    A project holds the files below the root of its settings for which the same settings hold, but
    no test files: what tests call, and how, says nothing of how a program runs.
    """
    roots = dict.fromkeys(target.settings.root for target in targets)
    return Projects(_project(root, resolver) for root in roots if _is_small(root))


def _project(root: Path, resolver: SettingsResolver) -> Project:
    found = discover([str(root)], resolver).files
    files = [t.path for t in found if t.settings.root == root and not t.settings.is_test(t.path)]
    return Project.of(root, files)


def _is_small(root: Path) -> bool:
    pending, entries = [str(root)], 0
    while pending:
        try:
            with os.scandir(pending.pop()) as found:
                for entry in found:
                    entries += 1
                    if entry.is_dir(follow_symlinks=False) and entry.name not in _SKIPPED:
                        pending.append(entry.path)
        except OSError:
            continue
        if entries > _MOST_ENTRIES:
            return False
    return True
