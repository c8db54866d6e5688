"""What other tools call the levels of findings."""

from __future__ import annotations

from typing import NamedTuple

from tfxla_lint.findings import Level


class Shown(NamedTuple):
    """A level as GitHub's command, as GitLab's severity, and as a terminal's colour."""

    github: str
    gitlab: str
    colour: str


LEVELS = {
    Level.ERROR: Shown("error", "major", "1;31"),
    Level.WARNING: Shown("warning", "minor", "1;33"),
    Level.NOTE: Shown("notice", "info", "1;36"),
}
