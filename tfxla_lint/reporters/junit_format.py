"""JUnit XML: a suite for each file, a failed test for each finding that fails the run."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from tfxla_lint.findings import Finding
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.telling import Verdicts, told
from tfxla_lint.reporters.text import harmless_line, place_of, visible
from tfxla_lint.results import FileResult, RunResult

#: The form asks for a time; the same findings give the same bytes.
_TIME = "1970-01-01T00:00:00"
_END = "<system-out/><system-err/></testsuite>"


def render(result: RunResult, style: Style) -> str:
    """The report."""
    files = [file for file in result.files if _listed(file) or file.problem or file.crashed]
    verdicts = Verdicts(result)
    suites = [_suite(n, file, result, verdicts) for n, file in enumerate(files)]
    if not suites:
        case = _case("no findings", "tfxla-lint", "")
        suites = [f"{_head(0, 'tfxla-lint', 1, 0, 0, 0)}{case}{_END}"]
    listed = "".join(f"  {suite}\n" for suite in suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n{listed}</testsuites>\n'


def _listed(file: FileResult) -> tuple[Finding, ...]:
    return file.findings if file.listed is None else file.listed


def _suite(number: int, file: FileResult, result: RunResult, verdicts: Verdicts) -> str:
    findings = _listed(file)
    errors = list(_errors(file))
    failed = sum(result.fails(finding) for finding in findings)
    cases = [_of_finding(f, result, verdicts) for f in findings]
    cases += [_case("tfxla-lint", file.path, _outcome("error", m, m, "error")) for m in errors]
    counts = len(cases), failed, len(errors), len(findings) - failed
    return f"{_head(number, file.path, *counts)}{''.join(cases)}{_END}"


def _errors(file: FileResult) -> Iterator[str]:
    if file.problem:
        yield file.problem
    yield from (f"{crash.code}: {crash.message}" for crash in file.crashed)


def _head(number: int, name: str, tests: int, failures: int, errors: int, skipped: int) -> str:
    counts = f'tests="{tests}" failures="{failures}" errors="{errors}" skipped="{skipped}"'
    told = f'package="tfxla-lint" id="{number}" timestamp="{_TIME}" hostname="localhost" time="0"'
    return f"<testsuite name={_attribute(name)} {told} {counts}><properties/>"


def _of_finding(finding: Finding, result: RunResult, verdicts: Verdicts) -> str:
    name = f"{finding.code} {finding.name} {place_of('', finding.span).removeprefix(':')}"
    if not result.fails(finding):
        return _case(name, finding.path, f"<skipped message={_attribute(finding.message)}/>")
    text = told(finding, verdicts)
    return _case(name, finding.path, _outcome("failure", finding.message, text, finding.code))


def _case(name: str, group: str, body: str) -> str:
    head = f'<testcase name={_attribute(name)} classname={_attribute(group)} time="0"'
    return f"{head}>{body}</testcase>" if body else f"{head}/>"


def _outcome(tag: str, message: str, text: str, kind: str) -> str:
    lines = "\n".join(map(harmless_line, text.split("\n")))
    told = f"message={_attribute(message)} type={_attribute(kind)}"
    return f"<{tag} {told}>{escape(lines)}</{tag}>"


def _attribute(text: str) -> str:
    return quoteattr(visible(" ".join(text.split())))
