"""Colours for text on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tfxla_lint.findings import Level
from tfxla_lint.reporters.levels import LEVELS


@dataclass(frozen=True)
class Style:
    """Marks up text, or leaves it plain where `is_coloured` is false."""

    is_coloured: bool = False

    def _mark(self, codes: str, text: str) -> str:
        return f"\x1b[{codes}m{text}\x1b[0m" if self.is_coloured and text else text

    def bold(self, text: str) -> str:
        """Text that stands out."""
        return self._mark("1", text)

    def dim(self, text: str) -> str:
        """Text that stays in the background."""
        return self._mark("2", text)

    def help(self, text: str) -> str:
        """What can be done about a finding."""
        return self._mark("1;32", text)

    def related(self, text: str) -> str:
        """What proves a finding."""
        return self._mark("1;34", text)

    def level(self, level: Level, text: str | None = None) -> str:
        """A level's name, or `text` in the level's colour."""
        return self._mark(LEVELS[level].colour, level.value if text is None else text)

    def removed(self, text: str) -> str:
        """A line that a diff takes out."""
        return self._mark("31", text)

    def added(self, text: str) -> str:
        """A line that a diff puts in."""
        return self._mark("32", text)


def wants_colour(choice: str, environment: Mapping[str, str], is_terminal: bool) -> bool:
    """Whether to colour: the option decides, then NO_COLOR and FORCE_COLOR, then the terminal."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal and environment.get("TERM") != "dumb"
