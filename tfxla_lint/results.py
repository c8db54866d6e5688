"""What a run over files gave, file by file and in sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tfxla_lint.findings import Applicability, Finding, InCell, Level
from tfxla_lint.registry import SYNTAX_ERROR
from tfxla_lint.source import Source

if TYPE_CHECKING:
    from tfxla_lint.linter import Crash
    from tfxla_lint.verify.checked import Checked


@dataclass(frozen=True)
class Blocked:
    """A fix that was not applied because its result failed a check."""

    code: str
    line: int
    reason: str
    cell: InCell | None = None


@dataclass(frozen=True)
class FileResult:
    """What became of one file.

    `findings` are those that are left, and `source` is the text that they refer to (None where
    there are none). `applied` counts the fixes by code; `diff` shows them where nothing is
    written, `output` is the fixed code of standard input. `problem` says why the file could not
    be read or written; `added` counts the findings that a new comment silences; `checked` holds the
    verdicts of `--verify`. `listed` is what reports list in place of `findings`, where that differs;
    `cells` counts the code cells of a notebook.
    """

    path: str
    findings: tuple[Finding, ...] = ()
    source: Source | None = None
    suppressed: int = 0
    applied: Mapping[str, int] = field(default_factory=dict)
    blocked: tuple[Blocked, ...] = ()
    crashed: tuple[Crash, ...] = ()
    problem: str | None = None
    diff: str = ""
    output: bytes | None = None
    added: int = 0
    checked: tuple[Checked, ...] = ()
    listed: tuple[Finding, ...] | None = None
    cells: int = 0

    @property
    def has_syntax_error(self) -> bool:
        """Whether the file is no Python."""
        return any(finding.code == SYNTAX_ERROR for finding in self.findings)


@dataclass(frozen=True, eq=False, repr=False)
class RunResult:
    """What became of all files.

    `unsafe_fixes` says whether unsafe fixes count as fixable, `is_fixing` whether fixes were
    applied, so that those of the findings that are left were not, `is_verified` whether they were
    run, `is_verbose` whether all that proves a finding is shown. `fail_on` is the mildest level that
    fails, `aside` what there is to say of findings that are left out.
    """

    files: tuple[FileResult, ...]
    unsafe_fixes: bool = False
    is_fixing: bool = False
    is_verified: bool = False
    is_verbose: bool = False
    fail_on: Level = Level.WARNING
    aside: str = ""

    @property
    def checked(self) -> list[Checked]:
        """What running fixes gave, file by file."""
        return [item for file in self.files for item in file.checked]

    @property
    def findings(self) -> list[Finding]:
        """All findings that are left, file by file, each file's in order."""
        return [finding for file in self.files for finding in file.findings]

    @property
    def listed(self) -> list[Finding]:
        """What reports list: the findings, those of one kind as one where they are gathered."""
        listed = (f.findings if f.listed is None else f.listed for f in self.files)
        return [finding for findings in listed for finding in findings]

    @property
    def sources(self) -> dict[str, Source]:
        """The text of every file with findings, by the path that the findings name."""
        return {file.path: file.source for file in self.files if file.source is not None}

    @property
    def cells(self) -> int:
        """How many code cells of notebooks were looked at."""
        return sum(file.cells for file in self.files)

    @property
    def applied(self) -> Counter[str]:
        """How many fixes were applied, by code."""
        total: Counter[str] = Counter()
        for file in self.files:
            total.update(file.applied)
        return total

    @property
    def suppressed(self) -> int:
        """How many findings comments silence."""
        return sum(file.suppressed for file in self.files)

    def count_fixable(self, applicability: Applicability) -> int:
        """How many of the findings that are left have a fix of this applicability."""
        fixes = (finding.fix for finding in self.findings)
        return sum(fix is not None and fix.applicability is applicability for fix in fixes)

    def fails(self, finding: Finding) -> bool:
        """Whether a finding is bad enough to fail."""
        return finding.level.rank <= self.fail_on.rank

    @property
    def has_failed(self) -> bool:
        """Whether a file could not be read or written or a rule raised."""
        return any(file.problem is not None or file.crashed for file in self.files)
