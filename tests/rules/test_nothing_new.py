"""What a fix writes draws no finding, but for the next step of a way that the next pass goes on."""

from __future__ import annotations

import pytest

from tfxla_lint.findings import Finding
from tfxla_lint.linter import Linter
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions

from .cases import CATALOGUE, Case, cases, target_of

#: `predict` waits for the device too, on every turn; as a call it says so, and that it runs op by op.
#: The last chunk of steps may be smaller, and is traced for itself.
SAID_BY_ANOTHER = {
    ("TXL107", "TXL104"),
    ("TXL107", "TXL110"),
    ("TXL110", "TXL104"),
    ("TXL113", "TXL204"),
}


def findings_by_default(source: Source) -> tuple[Finding, ...]:
    """What the default rules say, each fix allowed."""
    options = LintOptions(CATALOGUE.defaults, CATALOGUE.codes, target_of(source))
    return Linter(CATALOGUE, options).lint(source).findings


@pytest.mark.parametrize(
    "case", [case for case in cases("bad") if case.fixed.exists()], ids=lambda case: case.id
)
def test_a_fixed_file_draws_nothing_new(case: Case) -> None:
    bad, fixed = Source.read(case.path), Source.read(case.fixed)
    kept = {line.strip() for line in bad.text.splitlines()}
    new = [
        finding
        for finding in findings_by_default(fixed)
        if fixed.line_text(finding.span.line).strip() not in kept
        and (case.rule.code, finding.code) not in SAID_BY_ANOTHER
    ]
    # Of most bad files it need not be asked what they draw.
    before = {finding.code for finding in findings_by_default(bad)} if new else set()
    told = [f"{f.span.line} {f.code} {f.message}" for f in new if f.code not in before]
    assert told == []
