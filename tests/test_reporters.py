"""What each format prints."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tfxla_lint.findings import Applicability, Edit, Finding, Fix, Intent, Level, Related
from tfxla_lint.linter import Crash
from tfxla_lint.reporters import render
from tfxla_lint.reporters.frame import frame
from tfxla_lint.reporters.statistics import render_statistics
from tfxla_lint.reporters.style import Style, can_link, wants_colour
from tfxla_lint.reporters.text import summary
from tfxla_lint.results import Blocked, FileResult, RunResult
from tfxla_lint.settings.layer import OUTPUT_FORMATS
from tfxla_lint.source import Source

PLAIN = Style()
TEXT = "import tensorflow as tf\nfor x, y in data:\n\tstep(x,\n\t     y)\n"
SOURCE = Source("src/a.py", TEXT)
STEP = TEXT.index("step")


def finding(
    start: int = STEP, end: int = STEP + 4, code: str = "TXL501", level: Level = Level.ERROR
) -> Finding:
    name = {"TXL001": "syntax-error", "TXL002": "unused-suppression"}.get(code, "unknown-symbol")
    return Finding(code, name, level, "a message", "src/a.py", SOURCE.span(start, end))


def fix(applicability: Applicability, assumption: str = "") -> Fix:
    edits = (Edit(STEP, STEP + 4, "walk"),)
    return Fix("rename it", edits, applicability, Intent.PRESERVING, assumption)


def result(*findings: Finding, **more: object) -> RunResult:
    return RunResult((FileResult("src/a.py", findings, SOURCE),), **more)  # type: ignore[arg-type]


# full and concise


def test_concise() -> None:
    fixable = replace(finding(0, 6, "TXL002", Level.WARNING), fix=fix(Applicability.SAFE))
    assert render("concise", result(fixable, finding()), PLAIN) == (
        "src/a.py:1:1: warning TXL002 unused-suppression: [*] a message\n"
        "src/a.py:3:2: error TXL501 unknown-symbol: a message\n"
    )


@pytest.mark.parametrize("name", ["full", "concise"])
def test_names_and_code_cannot_speak_to_the_terminal(name: str) -> None:
    path = "a\n::error::\x1b[31m\u202e.py"
    text = "x\x1b]0;title\x07 = \u2028::error::\u202e1\n"
    source = Source(path, text)
    span = source.span(0, 1)
    shown = Fix(f"use `{text}`", (Edit(0, 1, "\x1b"),), Applicability.DISPLAY, Intent.PRESERVING)
    found = Finding(
        "TXL501",
        "unknown-symbol",
        Level.ERROR,
        f"`{text}` is unknown",
        path,
        span,
        (Related(span, f"`{text}`", f"{path}.pyi"),),
        shown,
    )
    report = render(name, RunResult((FileResult(path, (found,), source),)), PLAIN)
    assert [char for char in report if not char.isprintable() and char != "\n"] == []
    assert report.startswith(r"a\n::error::\x1b[31m\u202e.py:1:1: error TXL501")
    assert [line for line in report.splitlines() if line.startswith("::")] == []


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("::error file=x::y.py", "./::error file=x::y.py"),
        (" ::error::y.py", "./ ::error::y.py"),
        ("##[error]y.py", r"\x23#[error]y.py"),
        ("a ##vso[task.x]y.py", r"a \x23#vso[task.x]y.py"),
    ],
)
@pytest.mark.parametrize("name", ["full", "concise"])
def test_a_file_name_is_no_command_to_a_log(name: str, path: str, shown: str) -> None:
    source = Source(path, "x\n")
    found = Finding("TXL501", "a-name", Level.ERROR, "a message", path, source.span(0, 1))
    report = render(name, RunResult((FileResult(path, (found,), source),)), PLAIN)
    assert report.startswith(f"{shown}:1:1: error TXL501")


def test_full() -> None:
    loop = TEXT.index("for")
    related = (
        Related(SOURCE.span(loop, loop + 17), "in this loop"),
        Related(SOURCE.span(0, 6), "made there", "src/b.py"),
    )
    item = replace(
        finding(STEP, TEXT.index("y)") + 2),
        related=related,
        fix=fix(Applicability.UNSAFE, "if it is not called elsewhere"),
    )
    assert render("full", result(item), PLAIN) == (
        "src/a.py:3:2: error TXL501 unknown-symbol: a message\n"
        "3 |     step(x,\n"
        "  |     ^^^^^^^\n"
        "note: line 2: in this loop\n"
        "note: src/b.py:1:1: made there\n"
        "help: rename it (unsafe fix: if it is not called elsewhere)\n"
        "\n"
    )
    assert render("full", result(item, is_verbose=True), PLAIN) == (
        "src/a.py:3:2: error TXL501 unknown-symbol: a message\n"
        "3 |     step(x,\n"
        "  |     ^^^^^^^\n"
        "note: src/a.py:2:1: in this loop\n"
        "2 | for x, y in data:\n"
        "  | ^^^^^^^^^^^^^^^^^\n"
        "note: src/b.py:1:1: made there\n"
        "help: rename it (unsafe fix: --fix --unsafe-fixes; if it is not called elsewhere)\n"
        "\n"
    )


def test_two_notes_and_the_first_assumption_are_shown() -> None:
    spans = [SOURCE.span(n, n + 1) for n in range(5)]
    related = [Related(span, f"number {n}") for n, span in enumerate(spans)]
    related[3] = replace(related[3], is_decisive=True)
    assumption = "assumes one thing; assumes another; assumes a third"
    item = replace(finding(), related=tuple(related), fix=fix(Applicability.UNSAFE, assumption))
    lines = render("full", result(item), PLAIN).splitlines()
    assert lines[3:] == [
        "note: line 1: number 0",
        "note: line 1: number 3 (and 3 more, with -v)",
        "help: rename it (unsafe fix: assumes one thing, and 2 more, with -v)",
        "",
    ]
    narrow = render("full", result(item), Style(width=60)).splitlines()
    assert narrow[-2] == "help: rename it (unsafe fix: 3 conditions, with -v)"


def test_codes_lead_to_their_pages() -> None:
    text = render("concise", result(finding()), Style(is_linked=True))
    page = "https://tfxla-lint.github.io/tfxla-lint/rules/TXL501/"
    assert f"\x1b]8;;{page}\x1b\\TXL501\x1b]8;;\x1b\\ unknown-symbol" in text
    assert "\x1b" not in render("concise", result(finding(code="ABC501")), Style(is_linked=True))


@pytest.mark.parametrize(
    ("environment", "terminal", "linked"),
    [
        ({}, True, False),
        ({"TERM_PROGRAM": "vscode"}, True, True),
        ({"TERM_PROGRAM": "vscode"}, False, False),
        ({"TERM_PROGRAM": "vscode", "TERM": "screen-256color"}, True, False),
        ({"VTE_VERSION": "7200"}, True, True),
        ({"VTE_VERSION": "4600"}, True, False),
        ({"TERM": "xterm-kitty"}, True, True),
        ({"FORCE_HYPERLINK": "1"}, False, True),
        ({"FORCE_HYPERLINK": "0", "TERM": "xterm-kitty"}, True, False),
        ({"NO_COLOR": "1", "TERM": "xterm-kitty"}, True, False),
    ],
)
def test_links(environment: dict[str, str], terminal: bool, linked: bool) -> None:
    assert can_link("auto", environment, terminal) is linked


@pytest.mark.parametrize(
    ("applicability", "how"),
    [
        (Applicability.SAFE, "(safe fix: --fix)\n"),
        (Applicability.UNSAFE, "(unsafe fix: --fix --unsafe-fixes)\n"),
        (
            Applicability.DISPLAY,
            "(never applied by the tool)\n"
            "  - \tstep(x,\n  - \t     y)\n  + \twalk(x,\n  + \t     y)\n",
        ),
    ],
)
def test_how_to_apply_a_fix(applicability: Applicability, how: str) -> None:
    item = replace(finding(), fix=fix(applicability))
    text = render("full", result(item, is_verbose=True), PLAIN)
    assert text.endswith("help: rename it " + how + "\n")


def test_many_related_places_lose_their_frames() -> None:
    related = tuple(Related(SOURCE.span(0, 1), f"number {n}") for n in range(12))
    text = render("full", result(replace(finding(), related=related), is_verbose=True), PLAIN)
    assert text.count("note: ") == 12
    assert text.count("^") == 4 + 8


def test_colours_change_nothing_but_colours() -> None:
    import re

    item = replace(finding(), fix=fix(Applicability.DISPLAY))
    coloured = render("full", result(item), Style(is_coloured=True))
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render("full", result(item), PLAIN)


FRAMES = {
    "tab": ("\tx = y\n", 1, 2, "    x = y", "    ^"),
    "tab inside": ("x\t= y\n", 2, 3, "x    = y", "     ^"),
    "wide before": ("'日本' + y\n", 7, 8, "'日本' + y", "         ^"),
    "wide inside": ("x = '日本'\n", 4, 8, "x = '日本'", "    ^^^^^^"),
    "combining": ("'e\u0301' + y\n", 6, 7, "'e\u0301' + y", "     ^"),
    "control": ("'\x1b[31m' + y\n", 10, 11, "'\u241b[31m' + y", "          ^"),
    "direction": ("'\u202e' + y\n", 6, 7, "'\ufffd' + y", "      ^"),
    "empty span": ("x = \n", 4, 4, "x =", "    ^"),
    "end of line": ("(x,\ny)\n", 0, 6, "(x,", "^^^"),
}


@pytest.mark.parametrize(("text", "start", "end", "line", "marker"), FRAMES.values(), ids=FRAMES)
def test_frames(text: str, start: int, end: int, line: str, marker: str) -> None:
    source = Source("a.py", text)
    shown = frame(source, source.span(start, end))
    assert (shown.text, shown.marker) == (line, marker)


def test_long_lines_are_cut_around_the_span() -> None:
    source = Source("a.py", "x" * 500 + "HERE" + "y" * 500 + "\n")
    shown = frame(source, source.span(500, 504))
    assert len(shown.text) <= 170
    assert shown.text[shown.indent : shown.indent + shown.width] == "HERE"
    assert shown.text.startswith("...")
    assert shown.text.endswith("...")


# The summary


def some(safe: int = 0, unsafe: int = 0, display: int = 0, plain: int = 0) -> list[Finding]:
    fixes = [fix(Applicability.SAFE)] * safe + [fix(Applicability.UNSAFE)] * unsafe
    fixes += [fix(Applicability.DISPLAY)] * display
    return [replace(finding(), fix=item) for item in fixes] + [finding()] * plain


@pytest.mark.parametrize(
    ("run", "text"),
    [
        (RunResult(()), "No findings in 0 files."),
        (result(), "No findings in 1 file."),
        (result(*some(plain=1)), "Found 1 finding."),
        (result(*some(display=2)), "Found 2 findings."),
        (result(*some(safe=1, plain=1)), "Found 2 findings. 1 fixable with --fix."),
        (
            result(*some(safe=1, unsafe=2)),
            "Found 3 findings. 1 fixable with --fix, 2 more with --fix --unsafe-fixes.",
        ),
        (result(*some(unsafe=2)), "Found 2 findings. 2 fixable with --fix --unsafe-fixes."),
        (
            result(*some(safe=1, unsafe=2), unsafe_fixes=True),
            "Found 3 findings. 3 fixable with --fix --unsafe-fixes.",
        ),
    ],
)
def test_summary(run: RunResult, text: str) -> None:
    assert summary(run) == text


@pytest.mark.parametrize(
    ("remaining", "unsafe_fixes", "text"),
    [
        ([], False, "Found 3 findings (3 fixed, 0 remaining)."),
        (
            some(unsafe=1, plain=1),
            False,
            "Found 5 findings (3 fixed, 2 remaining). 1 more with --fix --unsafe-fixes, or with"
            " --fix --verify where a run proves it.",
        ),
        (some(unsafe=1), True, "Found 4 findings (3 fixed, 1 remaining). 1 fix held back."),
    ],
)
def test_summary_after_fixing(remaining: list[Finding], unsafe_fixes: bool, text: str) -> None:
    blocked = (Blocked("TXL501", 3, "a reason"),) if unsafe_fixes else ()
    file = FileResult("src/a.py", tuple(remaining), SOURCE, 0, {"TXL504": 3}, blocked)
    assert summary(RunResult((file,), unsafe_fixes, is_fixing=True)) == text


# For programs


def test_json() -> None:
    item = replace(
        finding(),
        related=(Related(SOURCE.span(0, 6), "here"),),
        fix=fix(Applicability.UNSAFE, "if so"),
    )
    files = (
        FileResult("src/a.py", (item,), SOURCE, 2, {"TXL504": 1}, (Blocked("TXL102", 7, "why"),)),
        FileResult("b.py", problem="cannot read it: no"),
        FileResult("c.py", crashed=(Crash("TXL301", "ValueError: x", "..."),)),
    )
    document = json.loads(render("json", RunResult(files), PLAIN))
    assert document["version"] == 1
    place = {"line": 3, "column": 2, "end_line": 3, "end_column": 6}
    here = {"line": 1, "column": 1, "end_line": 1, "end_column": 7}
    assert document["findings"] == [
        {
            "code": "TXL501",
            "name": "unknown-symbol",
            "level": "error",
            "count": 1,
            "message": "a message",
            "path": "src/a.py",
            **place,
            "related": [{"message": "here", "path": "src/a.py", **here}],
            "fix": {
                "title": "rename it",
                "applicability": "unsafe",
                "intent": "preserving",
                "assumption": "if so",
                "needs_measurement": False,
                "edits": [{**place, "start": STEP, "end": STEP + 4, "text": "walk"}],
            },
        }
    ]
    assert document["summary"] == {
        "files": 3,
        "cells": 0,
        "findings": 1,
        "listed": 1,
        "suppressed": 2,
        "fixed": {"TXL504": 1},
        "fixable": {"safe": 0, "unsafe": 1, "display": 0},
        "blocked_fixes": [{"path": "src/a.py", "code": "TXL102", "line": 7, "reason": "why"}],
        "errors": [
            {"path": "b.py", "code": None, "message": "cannot read it: no"},
            {"path": "c.py", "code": "TXL301", "message": "ValueError: x"},
        ],
    }


def test_columns_count_code_points_in_every_format() -> None:
    source = Source("a.py", "x = '\U0001f600é' + bad\n")
    span = source.span(11, 14)
    item = replace(finding(code="TXL002"), path="a.py", span=span)
    run = RunResult((FileResult("a.py", (item,), source),))
    assert (span.line, span.column, span.end_column) == (1, 12, 15)
    assert json.loads(render("json", run, PLAIN))["findings"][0]["column"] == 12
    assert "a.py:1:12:" in render("concise", run, PLAIN)
    assert "a.py:1:12:" in render("full", run, PLAIN)
    assert "col=12,endLine=1,endColumn=15" in render("github", run, PLAIN)
    sarif = json.loads(render("sarif", run, PLAIN))["runs"][0]
    assert sarif["columnKind"] == "unicodeCodePoints"
    place = sarif["results"][0]["locations"][0]["physicalLocation"]
    assert place["region"]["startColumn"] == 12
    assert "columnnumber=12;" in render("azure", run, PLAIN)
    found = json.loads(render("rdjson", run, PLAIN))["diagnostics"][0]["location"]["range"]
    assert found["start"] == {"line": 1, "column": 16}, "bytes of UTF-8, as reviewdog counts"


def test_github_is_worst_first_and_escaped() -> None:
    mild = finding(0, 6, "TXL002", Level.NOTE)
    middle = replace(finding(7, 9, "TXL002", Level.WARNING), message="50% of\nall, a:b")
    bad = replace(finding(), path="src/a,b:c.py", fix=fix(Applicability.SAFE))
    lines = render("github", result(mild, middle, bad), PLAIN).splitlines()
    assert lines == [
        "::error title=TXL501 unknown-symbol,file=src/a%2Cb%3Ac.py,line=3,col=2,endLine=3,"
        "endColumn=6::src/a,b:c.py:3:2: TXL501 a message%0Ahelp: rename it (safe fix)",
        "::warning title=TXL002 unused-suppression,file=src/a.py,line=1,col=8,endLine=1,"
        "endColumn=10::src/a.py:1:8: TXL002 50%25 of%0Aall, a:b",
        "::notice title=TXL002 unused-suppression,file=src/a.py,line=1,col=1,endLine=1,"
        "endColumn=7::src/a.py:1:1: TXL002 a message",
    ]


def test_github_gives_no_columns_over_several_lines() -> None:
    text = render("github", result(finding(STEP, len(TEXT) - 1)), PLAIN)
    assert "line=3,endLine=4::" in text


def test_gitlab_fingerprints_differ_and_survive_moves() -> None:
    twice = json.loads(render("gitlab", result(finding(), finding()), PLAIN))
    assert twice[0]["fingerprint"] != twice[1]["fingerprint"]
    moved = Source("src/a.py", "\n\n" + TEXT)
    item = replace(finding(), span=moved.span(STEP + 2, STEP + 6))
    run = RunResult((FileResult("src/a.py", (item,), moved),))
    again = json.loads(render("gitlab", run, PLAIN))
    assert again[0]["fingerprint"] == twice[0]["fingerprint"]
    assert again[0]["severity"] == "major"


def test_sarif() -> None:
    item = replace(
        finding(code="TXL002"),
        related=(Related(SOURCE.span(0, 6), "here"),),
        fix=fix(Applicability.SAFE),
    )
    run = json.loads(render("sarif", result(item), PLAIN))["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["TXL002"]
    (found,) = run["results"]
    assert found["ruleId"] == "TXL002"
    assert found["relatedLocations"][0]["message"]["text"] == "here"
    change = found["fixes"][0]["artifactChanges"][0]
    assert change["artifactLocation"] == {"uri": "src/a.py", "uriBaseId": "%SRCROOT%"}
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 3, "startColumn": 2, "endLine": 3, "endColumn": 6},
            "insertedContent": {"text": "walk"},
        }
    ]


@pytest.mark.parametrize("name", OUTPUT_FORMATS)
def test_every_format_copes_with_nothing(name: str) -> None:
    text = render(name, RunResult(()), PLAIN)
    assert text.strip() in ("", "[]") or finding().code not in text


def test_statistics() -> None:
    fixable = replace(finding(0, 6, "TXL002"), fix=fix(Applicability.SAFE))
    run = result(finding(), fixable, replace(finding(), fix=fix(Applicability.UNSAFE)))
    assert render_statistics("full", run, PLAIN) == (
        "2  TXL501  [ ] unknown-symbol: 1 unsafe\n1  TXL002  [*] unused-suppression: 1 safe\n"
    )
    document = json.loads(render_statistics("json", run, PLAIN))
    assert document["statistics"] == [
        {
            "code": "TXL501",
            "name": "unknown-symbol",
            "count": 2,
            "fixable": 0,
            "safe": 0,
            "unsafe": 1,
            "display": 0,
            "cells": 0,
        },
        {
            "code": "TXL002",
            "name": "unused-suppression",
            "count": 1,
            "fixable": 1,
            "safe": 1,
            "unsafe": 0,
            "display": 0,
            "cells": 0,
        },
    ]


@pytest.mark.parametrize(
    ("choice", "environment", "terminal", "coloured"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "0"}, False, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colour(choice: str, environment: dict[str, str], terminal: bool, coloured: bool) -> None:
    assert wants_colour(choice, environment, terminal) is coloured


def test_of_many_things_in_the_way_the_first_are_shown_and_all_on_demand() -> None:
    related = tuple(Related(SOURCE.span(0, 1), f"number {n}", None, n >= 5) for n in range(12))
    item = replace(finding(), related=related)
    text = render("full", result(item), PLAIN)
    assert "number 1 (and 10 more, with -v)\n" in text
    assert "number 2" not in text
    assert render("full", result(item, is_verbose=True), PLAIN).count("note: ") == 12
    assert "number 5" not in render("github", result(item), PLAIN)
    listed = json.loads(render("json", result(item), PLAIN))["findings"][0]["related"]
    assert len(listed) == 12
