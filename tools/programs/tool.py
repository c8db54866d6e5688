"""What tfxla-lint says of test data, and copies of files that it fixed."""

from __future__ import annotations

import functools
from pathlib import Path

from tfxla_lint.fixer import fix_text
from tfxla_lint.linter import Linter, LintResult
from tfxla_lint.registry import read_catalogue
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions

TESTDATA = Path(__file__).parents[2] / "testdata"


@functools.cache
def _linter(others: frozenset[str]) -> Linter:
    catalogue = read_catalogue()
    return Linter(catalogue, LintOptions(catalogue.defaults | others, catalogue.codes))


def lint(source: Source, others: frozenset[str] = frozenset()) -> LintResult:
    """What the rules that are on by default report, and some others."""
    result = _linter(others).lint(source)
    assert result.crashed == ()
    return result


def findings(path: Path) -> list[tuple[str, int]]:
    """The codes and lines of a file's findings."""
    return [(finding.code, finding.span.line) for finding in lint(Source.read(path)).findings]


def fixed_copy(path: Path, folder: Path, others: frozenset[str] = frozenset()) -> Path:
    """A copy of the file in `folder`, as `--fix --unsafe-fixes` leaves it, with other rules as well."""
    source = Source.read(path)
    outcome = fix_text(source, functools.partial(lint, others=others), unsafe=True)
    assert outcome.blocked == ()
    copy = folder / path.name
    copy.write_bytes(source.encode(outcome.text))
    return copy
