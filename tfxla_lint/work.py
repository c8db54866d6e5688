"""What is asked for: a file to process, the mode, and what holds for the file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from tfxla_lint.settings.taught import NOTHING_TAUGHT, Taught

if TYPE_CHECKING:
    from tfxla_lint.source import Source


class Mode(Enum):
    """What is done with the findings of a file."""

    LINT = "lint"
    FIX = "fix"
    DIFF = "diff"
    ADD_NOQA = "add-noqa"


@dataclass(frozen=True)
class LintOptions:
    """What holds for one file: the codes that are on, those whose fixes are, the target version,
    the path of a profile, whether the project may run on the `tf_keras` it requires, and what it
    teaches of its names.

    `is_version_set` says that the settings name the version, not the requirements; `takes_newer`
    that these take any newer one as well.
    """

    enabled: frozenset[str]
    fixable: frozenset[str]
    tf_version: tuple[int, int] | None = None
    profile: str | None = None
    may_use_tf_keras: bool = False
    is_version_set: bool = False
    taught: Taught = NOTHING_TAUGHT
    takes_newer: bool = False

    def version_for(self, source: Source) -> tuple[int, int] | None:
        """The target version of a file: what the settings say, else what it says itself, else what
        its project requires."""
        return self.tf_version if self.is_version_set else source.tf_version or self.tf_version


@dataclass(frozen=True)
class Work:
    """One file to process. `data` holds its bytes where they do not come from the disk.

    `leads_out` says that the path is a link to a file elsewhere, which is not to be changed;
    `only` names the findings whose fixes are run, by code and offset, where those are not all.
    """

    path: Path
    shown: str
    options: LintOptions
    unsafe_fixes: bool = False
    data: bytes | None = None
    leads_out: bool = False
    clears_outputs: bool = False
    only: frozenset[tuple[str, int]] | None = None
