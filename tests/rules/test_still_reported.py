"""After a fix, what is still eager is still reported."""

from __future__ import annotations

import libcst as cst
import pytest

from tfxla_lint.linter import Linter
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions
from tools.list_tapes import CODES, Judge, Site

from .cases import CATALOGUE, Case, cases, target_of

#: The rules whose fixes trace what was eager.
TRACING = ("TXL101", "TXL102", "TXL103", "TXL109", "TXL110")


@pytest.mark.parametrize(
    "case", [c for c in cases("fixed") if c.rule.code in TRACING], ids=lambda case: case.id
)
def test_no_tape_of_a_fixed_file_is_left_eager_unsaid(case: Case) -> None:
    source = Source.read(case.path)
    model = SemanticModel.build(cst.parse_module(source.text), source)
    if not silent(model, frozenset()):
        return  # Nothing depends on what the rules say.
    linter = Linter(CATALOGUE, LintOptions(CODES, frozenset(), target_of(source)))
    findings = linter.lint(source).findings
    assert silent(model, frozenset((f.path, f.span.line) for f in findings)) == []


def silent(model: SemanticModel, lines: frozenset[tuple[str, int]]) -> list[Site]:
    """The tapes that no finding speaks of, where these are the lines of the findings."""
    return [s for s in Judge(model, lines).sites() if s.verdict == "silent"]
