"""Each rule says of its test data what the snapshots hold, and fixes it as the fixed files show."""

from __future__ import annotations

import re

import pytest

from tfxla_lint.registry import RuleInfo
from tfxla_lint.source import Source

from .cases import (
    CATALOGUE,
    PROGRAMS,
    RULES,
    RUN_ONLY,
    TESTDATA,
    Case,
    cases,
    findings_in,
    fix,
    folder_of,
    is_applicable,
    render,
)

FEWEST = 2

#: Comments that tell the tests how a file is run and compared, and a reader nothing.
NOTE = re.compile(r"#\s*(intent|printed|types|tf-version):")
#: The first words of a comment or docstring.
TELLING = re.compile(r'(#|[rR]?""")\s*[^\s!]\S*( \S+){2}')
#: Programs that are run by their name: the docstring stands below the `#!` line.
RUN_BY_NAME = ("handmade/argparse_script.py", "programs/argparse_script/train.py")


def case_id(case: Case) -> str:
    return case.id


def rule_id(rule: RuleInfo) -> str:
    return rule.code


@pytest.mark.parametrize("case", cases("bad"), ids=case_id)
def test_bad_file_draws_the_findings_of_its_snapshot(case: Case) -> None:
    findings = findings_in(case.rule, Source.read(case.path))
    assert findings, "the rule says nothing of its bad file"
    assert case.snapshot.exists(), "no snapshot: run `python -m tests.rules.update` and read it"
    assert render(findings) == case.snapshot.read_text("utf-8")


@pytest.mark.parametrize("case", cases("bad"), ids=case_id)
def test_bad_file_is_fixed_as_its_fixed_file_shows(case: Case) -> None:
    source = Source.read(case.path)
    outcome = fix(case.rule, source)
    assert outcome.blocked == ()
    if case.fixed.exists():
        assert outcome.text == Source.read(case.fixed).text
    else:
        assert outcome.text == source.text, f"{case.fixed.name} is missing"


@pytest.mark.parametrize("case", cases("fixed"), ids=case_id)
def test_fixed_file_stays_as_it_is(case: Case) -> None:
    source = Source.read(case.path)
    assert [f for f in findings_in(case.rule, source) if is_applicable(f)] == []
    assert fix(case.rule, source).text == source.text


@pytest.mark.parametrize("case", cases("good"), ids=case_id)
def test_good_file_draws_no_finding(case: Case) -> None:
    assert render(findings_in(case.rule, Source.read(case.path))) == ""


@pytest.mark.parametrize(
    "rule", [rule for rule in CATALOGUE.rules if rule.code not in RUN_ONLY], ids=rule_id
)
def test_rule_has_bad_and_good_files(rule: RuleInfo) -> None:
    """What a rule leaves alone is shown by at least half as many files as what it reports."""
    bad, good = (len(list(folder_of(rule).glob(f"*_{kind}.py"))) for kind in ("bad", "good"))
    assert bad >= FEWEST
    assert good >= max(FEWEST, bad / 2)


def test_every_file_belongs_to_a_case() -> None:
    known = {case.path for kind in ("bad", "fixed", "good") for case in cases(kind)}
    known |= {case.snapshot for case in cases("bad")}
    files = {path for path in TESTDATA.rglob("*") if path.is_file()}
    loose = [
        path.relative_to(TESTDATA).as_posix()
        for path in sorted(files - known)
        if path.relative_to(TESTDATA).parts[0] not in PROGRAMS and "__pycache__" not in path.parts
    ]
    assert loose == []


def test_every_folder_is_named_after_a_rule() -> None:
    folders = {p.relative_to(TESTDATA).parts for p in TESTDATA.glob("*/*") if p.is_dir()}
    assert {parts for parts in folders if parts[0] not in PROGRAMS} <= set(RULES)


def test_every_file_begins_with_what_it_is_there_for() -> None:
    """A test is a document: its first sentence names the mechanism, in the words of the rules."""
    bare = []
    for path in sorted(TESTDATA.rglob("*.py")):
        name = path.relative_to(TESTDATA).as_posix()
        lines = path.read_text("utf-8-sig").splitlines()
        if name in RUN_BY_NAME:
            assert lines.pop(0).startswith("#!")
        if not TELLING.match(next(line for line in lines if not NOTE.match(line))):
            bare.append(name)
    assert bare == []
