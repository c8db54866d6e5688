"""What other tools call the levels of findings."""

from __future__ import annotations

from typing import NamedTuple

from tfxla_lint.findings import Level


class Shown(NamedTuple):
    """A level as GitHub's command, GitLab's severity, reviewdog's, Azure's, and a terminal's colour.

    Azure has no word for notes.
    """

    github: str
    gitlab: str
    colour: str
    reviewdog: str
    azure: str


LEVELS = {
    Level.ERROR: Shown("error", "major", "1;31", "ERROR", "error"),
    Level.WARNING: Shown("warning", "minor", "1;33", "WARNING", "warning"),
    Level.NOTE: Shown("notice", "info", "1;36", "INFO", ""),
}
