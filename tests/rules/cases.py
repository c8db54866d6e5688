"""The cases of the test data, and what one rule says of them."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

from tfxla_lint.findings import Applicability, Finding
from tfxla_lint.fixer import FixOutcome, fix_text
from tfxla_lint.linter import Linter, LintResult
from tfxla_lint.registry import TOOL_FAMILY, RuleInfo, read_catalogue
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions

TESTDATA = Path(__file__).parents[2] / "testdata"
#: Whole programs, which other tests run; they belong to no rule.
PROGRAMS = ("programs", "handmade", "notebooks", "costs")

#: What only running the code shows; no file by itself draws these.
RUN_ONLY = frozenset({"TXL003"})

CATALOGUE = read_catalogue()
RULES = {(rule.family, rule.name.replace("-", "_")): rule for rule in CATALOGUE.rules}


@dataclass(frozen=True)
class Case:
    """One file of the test data: `kind` is "bad", "fixed" or "good"."""

    rule: RuleInfo
    path: Path
    kind: str

    @property
    def id(self) -> str:
        """Where it stands, as pytest shows it."""
        return self.path.relative_to(TESTDATA).with_suffix("").as_posix()

    @property
    def snapshot(self) -> Path:
        """The file that holds what the rule says of it."""
        return self.path.with_suffix(".txt")

    @property
    def fixed(self) -> Path:
        """The file that holds what fixing makes of it."""
        return self.path.with_name(self.path.name.removesuffix("_bad.py") + "_fixed.py")


def folder_of(rule: RuleInfo) -> Path:
    """The folder of a rule's cases."""
    return TESTDATA / rule.family / rule.name.replace("-", "_")


def cases(kind: str) -> list[Case]:
    """All cases of one kind."""
    return [
        Case(rule, path, kind)
        for rule in CATALOGUE.rules
        for path in sorted(folder_of(rule).glob(f"*_{kind}.py"))
    ]


def target_of(source: Source) -> tuple[int, int] | None:
    """The TensorFlow that a comment at the top names: `# tf-version: 2.12`."""
    found = re.match(r"(?:#.*\n)*# tf-version: (\d+)\.(\d+)\n", source.text)
    return (int(found[1]), int(found[2])) if found else None


@functools.cache
def linter_of(code: str, target: tuple[int, int] | None = None) -> Linter:
    """A linter that runs one rule only; the tool's own rules are about all of them."""
    is_own = CATALOGUE.by_code[code].family == TOOL_FAMILY
    enabled = CATALOGUE.defaults if is_own else frozenset({code})
    return Linter(CATALOGUE, LintOptions(enabled, frozenset({code}), target))


@functools.cache
def linted(code: str, source: Source) -> LintResult:
    """What linting a source by one rule gives; the tests of one case ask for it again and again."""
    return linter_of(code, target_of(source)).lint(source)


def findings_in(rule: RuleInfo, source: Source) -> list[Finding]:
    """What a rule says of a source."""
    result = linted(rule.code, source)
    assert not result.crashed, result.crashed[0].traceback or result.crashed[0].message
    return [finding for finding in result.findings if finding.code == rule.code]


def fix(rule: RuleInfo, source: Source) -> FixOutcome:
    """What applying all fixes of a rule, safe and unsafe, makes of a source."""
    return fix_text(source, functools.partial(linted, rule.code), unsafe=True)


def is_applicable(finding: Finding) -> bool:
    """Whether a finding has a fix that `--fix --unsafe-fixes` applies."""
    return finding.fix is not None and finding.fix.applicability is not Applicability.DISPLAY


def render(findings: list[Finding]) -> str:
    """The findings of one file as a snapshot: a line each, and a line for each related place."""
    lines: list[str] = []
    for finding in findings:
        place = f"{finding.span.line}:{finding.span.column}"
        lines.append(f"{place} {finding.code} {finding.level.value} {finding.message}")
        for related in finding.related:
            lines.append(f"  note {related.span.line}:{related.span.column} {related.message}")
    return "".join(line + "\n" for line in lines)
