"""What `check --verify` shows: the table, the JSON, the page, told once for each fix."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.running import Run
from tfxla_lint.findings import Applicability, Edit, Finding, Fix, Level, Span
from tfxla_lint.proving import taken_log
from tfxla_lint.reporters import json_format
from tfxla_lint.reporters.style import Style
from tfxla_lint.reporters.verification import render_text, table_of
from tfxla_lint.reporters.verification_page import render_page
from tfxla_lint.results import FileResult, RunResult
from tfxla_lint.source import Source
from tfxla_lint.verify.checked import Checked
from tfxla_lint.verify.pairs import Options
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.proof import Proof
from tfxla_lint.verify.verdicts import Evidence, Outcome, Timing, Verdict

from .test_commands import PROGRAM

FIX = Fix("Write it <once>", (Edit(0, 0, "y"),), Applicability.UNSAFE)


def finding(code: str, line: int, variant: str = "") -> Finding:
    span = Span(0, 1, line, 1, line, 2)
    fix = replace(FIX, needs_measurement=bool(variant), variant=variant)
    return Finding(code, "a-rule", Level.WARNING, "a message", "a.py", span, fix=fix)


def checked(verdict: Verdict, *findings: Finding, refused: str = "") -> Checked:
    return Checked(findings, (verdict,), "x = 1\ny < 2\n", "x = 1\ny < 3\n", refused)


def timing(variant: str, milliseconds: float, per: str = "call") -> Timing:
    return Timing(variant, milliseconds, per=per, calls=9)


STEP = Verdict("src/a.py", "Net.step", Outcome.EQUIVALENT, error=2.51e-6, inputs=3, compared=8)
STEP = replace(STEP, timings=(timing("original", 25.12), timing("rewritten", 0.5)))
XLA = Timing("xla", 0.3, agrees=False, calls=9)
LOOP = replace(STEP, unit="<module>", timings=(*STEP.timings, XLA))
DIFFERS = Verdict("src/a.py", "f", Outcome.DIFFERS)
DIFFERS = replace(DIFFERS, evidence=(Evidence("value", "loss", "1.0", "<2.0>"),))
OPEN = Verdict("src/a.py", "g", Outcome.NOT_CHECKED, "no way was found")
ALL = (
    checked(LOOP, finding("TXL102", 7)),
    checked(STEP, finding("TXL405", 9, "xla")),
    checked(DIFFERS, finding("TXL104", 12), finding("TXL104", 13), refused="loss: 1.0"),
    checked(OPEN, finding("TXL201", 20)),
)


def result(*items: Checked) -> RunResult:
    return RunResult((FileResult("src/a.py", checked=items),), is_verified=True)


def test_a_row_for_each_fix() -> None:
    assert render_text(result(*ALL), Style()).splitlines() == [
        "rule    place                verdict        error  original  graph            XLA"
        "  ms per  faster",
        "TXL102  src/a.py:7           equivalent   2.5e-06      25.1    0.5  0.3 (differs)"
        "  call     50.2x",
        "TXL405  src/a.py:9 Net.step  equivalent   2.5e-06      25.1                   0.5"
        "  call     50.2x",
        "TXL104  src/a.py:12,13 f     differs",
        "TXL201  src/a.py:20 g        not checked",
        "src/a.py:12,13 f: TXL104: loss: 1.0 in the original, <2.0> in the rewritten",
        "src/a.py:20 g: TXL201: no way was found",
        "Verified: 2 equivalent, 1 differs, 1 not checked.",
    ]


def test_columns_that_hold_nothing_are_left_out() -> None:
    text = render_text(result(ALL[3]), Style())
    assert text.splitlines()[0].split() == ["rule", "place", "verdict"]
    assert render_text(result(), Style()) == "Verified: nothing to verify.\n"


def test_json_carries_the_verdicts() -> None:
    document = json.loads(json_format.render(result(*ALL), Style()))["verification"]
    assert document["counts"] == {"equivalent": 2, "differs": 1, "not checked": 1}
    first, _, third, _ = document["verdicts"]
    assert first["fixes"] == [
        {"code": "TXL102", "name": "a-rule", "line": 7, "column": 1, "title": FIX.title}
    ]
    assert (first["outcome"], first["unit"], first["error"]) == ("equivalent", "<module>", 2.51e-6)
    assert [row["variant"] for row in first["timings"]] == ["original", "rewritten", "xla"]
    assert first["times_faster"] == pytest.approx(50.24)
    assert (third["refused"], third["times_faster"]) == ("loss: 1.0", None)
    plain = json.loads(json_format.render(replace(result(), is_verified=False), Style()))
    assert "verification" not in plain


class Outline(HTMLParser):
    """Fails on tags that are not closed in order; keeps the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_has_a_card_for_each_fix() -> None:
    page = render_page(result(*ALL))
    outline = Outline()
    outline.feed(page)
    assert outline.open == []
    assert page.count("<section") == len(ALL)
    for words in ("TXL102 a-rule", "src/a.py:12,13", "Write it <once>", "-y < 2", "+y < 3"):
        assert words in outline.text
    for words in ("Held back: loss: 1.0", "50.2 times faster", "computes something else"):
        assert words in outline.text
    assert page.count('class="bar ') == 5
    assert '<span class="mark not-checked">' in page


def log(*entries: tuple[Sequence[Finding], str]) -> list[tuple[list[str], bool]]:
    """What the report tells after these attempts, from one text, were judged."""
    proof = Proof(Worker(), Options())
    for findings, refused in entries:
        after = "".join(finding.code for finding in findings)
        proof.note(Source("a.py", "x"), Source("a.py", after), findings, [STEP], refused)
    found = [([f.code for f in item.findings], bool(item.refused)) for item in taken_log(proof)]
    assert not proof.log
    return found


def test_fixes_that_were_tried_together_are_told_of_once() -> None:
    a, b, c = (finding(code, 1) for code in "ABC")
    assert log(([a], ""), ([b], "")) == [(["A"], False), (["B"], False)]
    assert log(([a, b], "wrong"), ([a], ""), ([a, b], "wrong")) == [(["A"], False), (["B"], True)]
    assert log(([a, b], "wrong"), ([a], "wrong"), ([b], "")) == [(["A"], True), (["B"], False)]
    attempts = ([a, b, c], "wrong"), ([a], ""), ([a, b, c], "wrong"), ([a, b], ""), ([a, b, c], "x")
    assert log(*attempts) == [(["A", "B"], False), (["C"], True)]


def test_check_writes_a_page_and_keeps_to_the_limits(tmp_path: Path, run: Run) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    options = ["--verify", "--xla", "--html", "page.html", "--time-limit", "60"]
    arguments = ["--isolated", "--select", "TXL102", *options, "--memory-limit", "2048"]
    done = run(*arguments, "--output-format", "json", "train.py")
    document = json.loads(done.out)
    assert document["verification"]["counts"]["equivalent"] == 1
    (row,) = document["verification"]["verdicts"]
    assert {timing["per"] for timing in row["timings"]} == {"turn"}
    assert "TXL102  train.py:6" in done.err
    assert "Verified: 1 equivalent." in done.err
    assert "TXL102 eager-loop-body" in (tmp_path / "page.html").read_text()
    assert (tmp_path / "train.py").read_text() == PROGRAM


@pytest.mark.parametrize(
    "options", [["--xla"], ["--html", "a.html"], ["--time-limit", "9"], ["--memory-limit", "999"]]
)
def test_options_of_verification_need_verify(options: list[str], run: Run) -> None:
    done = run("check", *options, ".")
    assert done.status == 2
    assert f"{options[0]} goes with --verify" in done.err


def test_versions_that_compete_show_what_tracing_and_compiling_cost() -> None:
    fused = Timing("rewritten", 3.1, 2100.0, traces=1, calls=9, megabytes=12.4)
    compiled = Timing("xla", 0.3, 3900.0, traces=2, calls=9, megabytes=81.0)
    graph = Timing("rewritten", 0.5, 840.0, traces=1, calls=9, megabytes=9.0)
    rows = result(
        checked(
            replace(STEP, timings=(timing("original", 9.0), fused)), finding("TXL113", 3, "fused")
        ),
        checked(
            replace(STEP, timings=(timing("original", 9.0), graph, compiled)), finding("TXL102", 7)
        ),
    )
    head, *lines = ([*row] for row in table_of(rows))
    columns = ("original", "graph", "fused", "XLA", "first ms", "MB", "traces")
    assert [[row[head.index(column)] for column in columns] for row in lines] == [
        ["9", "", "3.1", "", "2100", "12", "1"],
        ["9", "0.5", "", "0.3", "840, 3900", "9, 81", "1, 2"],
    ]


def test_the_cost_of_the_start_is_left_out_where_nothing_competes() -> None:
    graph = Timing("rewritten", 0.5, first_milliseconds=840.0, traces=1, calls=9)
    verdict = replace(STEP, timings=(timing("original", 9.0), graph))
    assert "first ms" not in table_of(result(checked(verdict, finding("TXL102", 7))))[0]
