"""Reports that other tools read: their forms, their limits, and names that would speak to them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.test_reporters import PLAIN, SOURCE, STEP, TEXT, finding, fix, result
from tfxla_lint.findings import Applicability, Edit, Finding, Fix, Level, Related
from tfxla_lint.linter import Crash
from tfxla_lint.reporters import render
from tfxla_lint.reporters.verification import render_text
from tfxla_lint.results import FileResult, RunResult
from tfxla_lint.settings.layer import OUTPUT_FORMATS
from tfxla_lint.source import Source
from tfxla_lint.verify.checked import Checked
from tfxla_lint.verify.verdicts import Outcome, Timing, Verdict

#: A folder with the published schemas, where there is one.
SCHEMAS = Path(os.environ.get("TFXLA_LINT_SCHEMAS", "no-such-folder"))
HOSTILE = "a\n::error::x\r##vso[task.x]y\x1b[31m\u202e]]></failure>&<b>\uffff@me|`#1;,.py"


def levels(errors: int, warnings: int, notes: int) -> RunResult:
    counts = {Level.ERROR: errors, Level.WARNING: warnings, Level.NOTE: notes}
    return result(*(finding(level=level) for level, n in counts.items() for _ in range(n)))


def hostile() -> RunResult:
    """A file, and code in messages and fixes, whose names try to speak to what reads a report."""
    source = Source(HOSTILE, TEXT)
    span = source.span(STEP, STEP + 4)
    edits = (Edit(STEP, STEP + 4, HOSTILE),)
    found = Finding(
        "TXL501",
        "unknown-symbol",
        Level.ERROR,
        f"`{HOSTILE}` is unknown\n::warning::{HOSTILE}",
        HOSTILE,
        span,
        (Related(span, HOSTILE, HOSTILE),),
        Fix(HOSTILE, edits, Applicability.UNSAFE, assumption=HOSTILE),
    )
    more = [replace(found, level=level) for level in (Level.WARNING, Level.NOTE) for _ in range(12)]
    crash = Crash("TXL301", f"ValueError: {HOSTILE}", "")
    file = FileResult(HOSTILE, (found, *more), source, problem=HOSTILE, crashed=(crash,))
    return RunResult((file,))


def verified() -> RunResult:
    item = replace(finding(code="TXL002"), fix=fix(Applicability.UNSAFE, "so"))
    times = tuple(Timing(v, ms, calls=9) for v, ms in (("original", 30.0), ("rewritten", 10.0)))
    verdict = Verdict("src/a.py", "train", Outcome.EQUIVALENT, inputs=3, timings=times)
    checked = (Checked((item,), (verdict,), TEXT, TEXT),)
    file = FileResult("src/a.py", (item, finding(0, 6)), SOURCE, checked=checked)
    return RunResult((file,), is_verified=True)


ALL = {"hostile": hostile(), "verified": verified(), "clean": result(), "many": levels(3, 60, 60)}


# What a form promises


@pytest.fixture
def published() -> Callable[[str], Path]:
    """Finds a published schema."""

    def find(name: str) -> Path:
        if not (SCHEMAS / name).exists():
            pytest.skip(f"TFXLA_LINT_SCHEMAS names no folder with {name}")
        return SCHEMAS / name

    return find


@pytest.mark.parametrize("run", ALL.values(), ids=ALL)
@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("sarif", "sarif-2.1.0.json"),
        ("gitlab", "codeclimate.json"),
        ("rdjson", "DiagnosticResult.json"),
    ],
)
def test_json_is_what_its_schema_asks_for(
    run: RunResult, form: str, name: str, published: Callable[[str], Path]
) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(published(name).read_text())
    document = json.loads(render(form, run, PLAIN))
    for part in document if isinstance(document, list) else [document]:
        jsonschema.validate(part, schema)


@pytest.mark.parametrize("run", ALL.values(), ids=ALL)
def test_junit_is_what_its_schema_asks_for(
    run: RunResult, published: Callable[[str], Path]
) -> None:
    xmlschema = pytest.importorskip("xmlschema")
    xmlschema.validate(render("junit", run, PLAIN), str(published("JUnit.xsd")))


@pytest.mark.parametrize("run", ALL.values(), ids=ALL)
def test_gitlab_has_what_gitlab_reads(run: RunResult) -> None:
    issues = json.loads(render("gitlab", run, PLAIN))
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == len(run.listed)
    for issue in issues:
        assert {"description", "check_name", "fingerprint", "severity", "location"} == set(issue)
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert isinstance(issue["location"]["path"], str)
        assert issue["location"]["lines"]["begin"] >= 1


@pytest.mark.parametrize("name", OUTPUT_FORMATS)
def test_hostile_names_say_nothing_to_what_reads_a_report(name: str) -> None:
    report = render(name, ALL["hostile"], PLAIN)
    report.encode("utf-8")
    if name in ("json", "sarif", "gitlab", "rdjson"):
        json.loads(report)
        assert report.isascii()
        return
    assert [char for char in report if not char.isprintable() and char != "\n"] == []
    if name == "junit":
        ElementTree.fromstring(report.encode())
        return
    lines = [line for line in report.splitlines() if line.startswith(("::", "##"))]
    ours: dict[str, tuple[str, ...]] = {
        "github": ("::error title=TXL501", "::warning title=TXL501", "::notice title=")
    }
    ours |= {"azure": ("##vso[task.logissue type=",), "markdown": ("## tfxla-lint",)}
    assert [line for line in lines if not line.startswith(ours.get(name, ("no",)))] == []
    for line in lines if name == "github" else ():
        fields = line[2 : line.index("::", 2)]
        assert "\u202e" not in fields
        assert fields.count(",") <= 5


# GitHub


@pytest.mark.parametrize(
    ("run", "shown", "rest"),
    [
        (levels(3, 10, 10), (3, 10, 10), None),
        (levels(11, 0, 0), (10, 0, 1), "1 more finding (1 error)"),
        (levels(12, 11, 10), (10, 10, 10), "4 more findings (2 errors, 1 warning, 1 note)"),
        (levels(0, 0, 11), (0, 0, 10), "2 more findings (2 notes)"),
    ],
)
def test_github_shows_as_many_as_it_can(
    run: RunResult, shown: tuple[int, int, int], rest: str | None
) -> None:
    lines = render("github", run, PLAIN).splitlines()
    counts = [sum(line.startswith(f"::{w} ") for line in lines) for w in _WORDS]
    assert tuple(counts) == shown
    assert sum(counts) <= 50, "of a job"
    told = [line.partition("::")[2] for line in lines if line.startswith("::notice title=tfxla")]
    assert [text.partition("::")[2] for text in told] == (
        [f"{rest}, in the log and the summary of this step"] if rest else []
    )
    assert len(lines) == len(run.listed) + bool(rest), "the others are lines of the log"


_WORDS = ("error", "warning", "notice")


def test_github_tells_what_running_a_fix_showed() -> None:
    text = render("github", verified(), PLAIN)
    assert "help: rename it (unsafe fix; so)%0Averified: equivalent, 3.0 times faster" in text


# The others


def test_markdown() -> None:
    item = replace(finding(), message="`tf.a|b` calls @you, #1")
    text = render("markdown", replace(result(item), aside="2 left out."), PLAIN)
    assert text == (
        "## tfxla-lint\n\n"
        "Found 1 finding. (1 error)\n\n"
        "2 left out.\n\n"
        "| | where | rule | what | fix |\n|---|---|---|---|---|\n"
        "| error | <code>src/a.py&#58;3&#58;2</code> |"
        " [TXL501](https://tfxla-lint.github.io/tfxla-lint/rules/TXL501/) unknown-symbol |"
        " <code>tf.a&#124;b</code> calls @&#8203;you, &#35;1 |  |\n"
    )


def test_markdown_has_a_table_of_verdicts() -> None:
    text = render("markdown", verified(), PLAIN)
    table = text.partition("### Fixes that were run against the original\n\n")[2].splitlines()
    assert table[0] == "| rule | place | verdict | error | original | graph | ms per | faster |"
    assert table[2].startswith(
        "| TXL002 | src/a.py&#58;3 train | equivalent | 0 | 30 | 10 | call |"
    )


def test_markdown_fits_a_comment() -> None:
    long = replace(finding(), message=HOSTILE * 100)
    assert len(render("markdown", result(*[long] * 2000), PLAIN)) < 65_536


def test_sarif_says_what_is_known() -> None:
    run = json.loads(render("sarif", verified(), PLAIN))["runs"][0]
    driver = run["tool"]["driver"]
    assert driver["informationUri"].startswith("https://")
    assert driver["rules"][0]["helpUri"].endswith("/rules/TXL002/")
    assert driver["rules"][0]["help"]["markdown"]
    assert run["originalUriBaseIds"].keys() == {"%SRCROOT%"}
    assert run["results"][0]["properties"]["verdict"]["outcome"] == "equivalent"
    assert run["results"][0]["properties"]["verdict"]["timesFaster"] == 3.0
    assert run["properties"]["verification"]["counts"]["equivalent"] == 1
    failed = json.loads(render("sarif", hostile(), PLAIN))["runs"][0]["invocations"][0]
    assert failed["executionSuccessful"] is False
    assert len(failed["toolExecutionNotifications"]) == 2


def prints(text: str) -> list[str]:
    """The fingerprints that SARIF gives findings on each `step` of a text."""
    source = Source("src/a.py", text)
    starts = [i for i in range(len(text)) if text.startswith("step", i)]
    found = tuple(replace(finding(), span=source.span(i, i + 4)) for i in starts)
    run = RunResult((FileResult("src/a.py", found, source),))
    rows = json.loads(render("sarif", run, PLAIN))["runs"][0]["results"]
    return [row["partialFingerprints"]["tfxlaLintStatement/v1"] for row in rows]


def test_fingerprints_survive_moves() -> None:
    names = prints("def f():\n    step(x)\n    step(x)\n    step(y)\n")
    assert len(set(names)) == 3
    moved = (
        "import os\n\n\ndef f():\n  if x:\n      step( x )  # a\n  step(x)\n  a()\n  step(\n y)\n"
    )
    assert prints(moved) == names
    assert prints("def g():\n    step(x)\n") != names[:1]


def test_junit_fails_what_fails_the_run() -> None:
    crash = Crash("TXL301", "ValueError: x", "...")
    bad, mild = finding(), finding(0, 6, "TXL002", Level.NOTE)
    files = (FileResult("src/a.py", (bad, mild), SOURCE), FileResult("b.py", crashed=(crash,)))
    suites = ElementTree.fromstring(render("junit", RunResult(files), PLAIN))
    counts = [[s.get(k) for k in ("tests", "failures", "errors", "skipped")] for s in suites]
    assert counts == [["2", "1", "0", "1"], ["1", "0", "1", "0"]]
    failure = suites[0].find("testcase/failure")
    assert failure is not None
    assert failure.text == "src/a.py:3:2: TXL501 a message"
    strict = ElementTree.fromstring(
        render("junit", RunResult(files, fail_on=Level.NOTE), PLAIN).encode()
    )
    assert strict[0].get("failures") == "2"


def test_azure() -> None:
    mild = finding(0, 6, "TXL002", Level.NOTE)
    bad = replace(finding(), path="a;b].py", message="50% of\nall")
    assert render("azure", result(bad, mild), PLAIN).splitlines() == [
        "##vso[task.logissue type=error;sourcepath=a%3Bb%5D.py;linenumber=3;columnnumber=2;"
        "code=TXL501(unknown-symbol);]a;b].py:3:2: TXL501 50%AZP25 of%0Aall",
        "src/a.py:1:1: note TXL002 unused-suppression: a message",
    ]


def test_pylint() -> None:
    source = Source("src/a.py", "class A:\n    def f(self):\n        step\n")
    found = replace(finding(), span=source.span(33, 37), message="two\nlines")
    run = RunResult((FileResult("src/a.py", (found,), source),))
    assert render("pylint", run, PLAIN) == "src/a.py:3: [TXL501(unknown-symbol), A.f] two lines\n"


# reviewdog


def suggested(text: str, edits: tuple[Edit, ...]) -> tuple[dict[str, object] | None, str]:
    """What reviewdog is given, and what stands in the file once it is taken."""
    source = Source("src/a.py", text)
    change = Fix("change it", edits, Applicability.SAFE)
    found = replace(finding(), span=source.span(0, 1), fix=change)
    run = RunResult((FileResult("src/a.py", (found,), source),))
    (diagnostic,) = json.loads(render("rdjson", run, PLAIN))["diagnostics"]
    if "suggestions" not in diagnostic:
        return None, text
    (suggestion,) = diagnostic["suggestions"]
    first, last = (suggestion["range"][side]["line"] for side in ("start", "end"))
    lines = text.split("\n")
    assert last < len(lines), "no line stands behind the last line ending"
    return suggestion["range"], "\n".join(
        [*lines[: first - 1], *suggestion["text"].split("\n"), *lines[last:]]
    )


@pytest.mark.parametrize(
    ("edits", "after"),
    [
        ((Edit(0, 1, "z"),), "z\nbb\nccc\n"),
        ((Edit(0, 1, "z"), Edit(5, 8, "y\nx")), "z\nbb\ny\nx\n"),
        ((Edit(2, 2, "new\n"),), "a\nnew\nbb\nccc\n"),
        ((Edit(2, 5, ""),), "a\nccc\n"),
        ((Edit(9, 9, "end\n"),), "a\nbb\nccc\nend\n"),
        ((Edit(2, 9, "bb\nend\n"),), "a\nbb\nend\n"),
    ],
)
def test_reviewdog_proposes_the_whole_rewrite(edits: tuple[Edit, ...], after: str) -> None:
    place, text = suggested("a\nbb\nccc\n", edits)
    assert place is not None
    assert text == after


def test_reviewdog_is_given_no_rewrite_that_spans_a_file() -> None:
    far = (Edit(0, 0, "import x\n"), Edit(200, 201, "b"))
    assert suggested("a\n" * 101, far) == (None, "a\n" * 101)
    shown = replace(finding(), fix=fix(Applicability.DISPLAY))
    assert "suggestions" not in json.loads(render("rdjson", result(shown), PLAIN))["diagnostics"][0]


def test_reviewdog_knows_level_and_page() -> None:
    document = json.loads(render("rdjson", levels(1, 1, 1), PLAIN))
    found = document["diagnostics"]
    assert [d["severity"] for d in found] == ["ERROR", "WARNING", "INFO"]
    assert found[0]["code"]["url"].endswith("/rules/TXL501/")
    assert document["source"]["name"] == "tfxla-lint"


def test_what_a_program_printed_is_no_command() -> None:
    verdict = Verdict("::x", "f", Outcome.DIFFERS, "it said\n::error::x\x1b[2J", "program")
    item = replace(finding(code="TXL002"), fix=fix(Applicability.UNSAFE))
    file = FileResult("::x", (item,), SOURCE, checked=(Checked((item,), (verdict,), TEXT, TEXT),))
    lines = render_text(RunResult((file,), is_verified=True), PLAIN).splitlines()
    assert [line for line in lines if line.startswith("::") or not line.isprintable()] == []
