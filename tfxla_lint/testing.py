"""For tests of rules, those of plug-ins among them: what a rule finds, and what its fix makes.

Nothing has to be installed or registered. docs/plugins.md shows how it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tfxla_lint import interface
from tfxla_lint.findings import Finding
from tfxla_lint.fixer import FixOutcome, fix_text
from tfxla_lint.linter import Linter
from tfxla_lint.registry import PLUGIN_FAMILY, Catalogue, info_of, read_catalogue
from tfxla_lint.rule import Rule
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions

Version = tuple[int, int]


def findings(rule: type[Rule], code: str, tf_version: Version | None = None) -> tuple[Finding, ...]:
    """What a rule, and no other, says of some code; raises AssertionError where the rule fails."""
    result = _linter(rule, tf_version).lint(Source("code.py", code))
    assert not result.crashed, result.crashed[0].traceback
    syntax = [finding.message for finding in result.findings if result.has_syntax_error]
    assert not syntax, f"the code is no Python: {syntax[0]}"
    return tuple(finding for finding in result.findings if finding.code == rule.code)


def fixed(rule: type[Rule], code: str, tf_version: Version | None = None) -> str:
    """What all fixes of a rule, safe and unsafe, make of some code, to the fixed point."""
    outcome = _fix(rule, code, tf_version)
    assert not outcome.blocked, f"a fix was held back: {outcome.blocked[0].reason}"
    return outcome.text


def assert_good(rule: type[Rule], code: str, tf_version: Version | None = None) -> None:
    """Assert that a rule says nothing of some code."""
    found = findings(rule, code, tf_version)
    assert not found, f"line {found[0].span.line}: {found[0].message}"


def assert_bad(
    rule: type[Rule], code: str, lines: Sequence[int], tf_version: Version | None = None
) -> None:
    """Assert that a rule reports just these lines, from 1."""
    found = [finding.span.line for finding in findings(rule, code, tf_version)]
    assert found == list(lines), f"reported are the lines {found}, not {list(lines)}"


def assert_fixed(
    rule: type[Rule], bad: str, good: str, tf_version: Version | None = None, run: bool = False
) -> None:
    """Assert that the fixes of a rule make `good` of `bad`, and that this draws no fix any more.

    With `run` both are run on TensorFlow, and must compute the same.
    """
    assert fixed(rule, bad, tf_version) == good
    assert fixed(rule, good, tf_version) == good
    if run:
        verdicts = interface.verify(bad, good, power=False).verdicts
        wrong = [v for v in verdicts if v.outcome.value != "equivalent"]
        reasons = [f"{v.unit}: {v.reason or v.evidence[0]}" for v in wrong]
        assert not wrong, f"it is not shown to compute the same: {reasons[0]}"


def assert_folder(rule: type[Rule], folder: Path, run: bool = False) -> None:
    """Assert of the files `*_bad.py`, `*_fixed.py` and `*_good.py` in a folder what they say.

    A rule reports something of each bad file, makes of it the fixed file of the same name where there
    is one, and reports nothing of a good one.
    """
    bad, good = (sorted(folder.glob(f"*_{kind}.py")) for kind in ("bad", "good"))
    assert bad, f"there is no *_bad.py in {folder}"
    assert good, f"there is no *_good.py in {folder}"
    for path in good:
        assert_good(rule, path.read_text("utf-8"))
    for path in bad:
        code = path.read_text("utf-8")
        assert findings(rule, code), f"{path.name}: nothing is reported"
        after = path.with_name(path.name.removesuffix("_bad.py") + "_fixed.py")
        assert_fixed(rule, code, after.read_text("utf-8") if after.exists() else code, run=run)


def _fix(rule: type[Rule], code: str, tf_version: Version | None) -> FixOutcome:
    return fix_text(Source("code.py", code), _linter(rule, tf_version).lint, unsafe=True)


def _linter(rule: type[Rule], tf_version: Version | None) -> Linter:
    others = (info for info in read_catalogue().rules if info.code != rule.code)
    catalogue = Catalogue([*others, info_of(rule, PLUGIN_FAMILY)])
    options = LintOptions(frozenset({rule.code}), frozenset({rule.code}), tf_version)
    return Linter(catalogue, options)
