"""Colours for text on a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from tfxla_lint.findings import Level
from tfxla_lint.reporters.levels import LEVELS

_NARROWEST = 40


@dataclass(frozen=True)
class Style:
    """Marks up text, or leaves it plain where `is_coloured` is false.

    `width` is that of the terminal, None where lines may be of any length; with `is_linked`
    codes lead to their pages.
    """

    is_coloured: bool = False
    width: int | None = None
    is_linked: bool = False

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

    def link(self, address: str, text: str) -> str:
        """Text that leads to a page, where the terminal can."""
        if not self.is_linked or not address:
            return text
        return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"

    def wrapped(self, painted: str, plain: str, text: str) -> str:
        """`text` behind a head, which is `painted` and counts as `plain`, cut into lines.

        Nothing is cut where there is no width, and no word ever is.
        """
        if self.width is None:
            return f"{painted} {text}"
        first, *rest = text.split("\n")
        lines = textwrap.wrap(
            first,
            max(self.width, _NARROWEST),
            initial_indent="x" * len(plain) + " ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        return "\n".join([painted + (lines or [plain])[0][len(plain) :], *lines[1:], *rest])

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


def can_link(choice: str, environment: Mapping[str, str], is_terminal: bool) -> bool:
    """Whether the terminal shows links (OSC 8): FORCE_HYPERLINK decides, else what it says it is."""
    if choice == "never" or environment.get("NO_COLOR"):
        return False
    forced = environment.get("FORCE_HYPERLINK")
    if forced:
        return forced != "0"
    if not is_terminal or environment.get("TERM", "").startswith(("dumb", "screen")):
        return False
    known = ("iTerm.app", "WezTerm", "vscode", "Hyper", "ghostty", "rio", "Tabby")
    return (
        environment.get("TERM_PROGRAM") in known
        or environment.get("TERM", "") in ("xterm-kitty", "alacritty", "foot", "xterm-ghostty")
        or any(name in environment for name in ("WT_SESSION", "KONSOLE_VERSION", "DOMTERM"))
        or environment.get("VTE_VERSION", "").zfill(4) >= "5000"
    )
