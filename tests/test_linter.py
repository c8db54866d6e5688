"""One file: syntax errors, the word gate, precedence, suppressions, crashes."""

from __future__ import annotations

import pytest

from tests.fake_rules import fake_catalogue
from tfxla_lint.findings import Span
from tfxla_lint.linter import Linter, LintResult
from tfxla_lint.precedence import Candidate, Precedence
from tfxla_lint.registry import read_catalogue
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions

CATALOGUE = fake_catalogue()
PRECEDENCE = Precedence(read_catalogue().rules)
HEADER = "import tensorflow as tf\n"


def lint(text: str, *codes: str, fixable: frozenset[str] = CATALOGUE.codes) -> LintResult:
    enabled = frozenset(codes) | {"TXL001"} if codes else CATALOGUE.defaults
    return Linter(CATALOGUE, LintOptions(enabled, fixable)).lint(Source("a.py", text))


def places(result: LintResult) -> list[tuple[str, int, int]]:
    return [(f.code, f.span.line, f.span.column) for f in result.findings]


def test_findings_come_in_order() -> None:
    result = lint(HEADER + "x = 2\nsync(1)\n")
    assert places(result) == [("TXL501", 2, 5), ("TXL104", 3, 1), ("TXL501", 3, 6)]


def test_a_file_without_our_words_is_not_looked_at() -> None:
    assert lint("sync(1)\n") == LintResult()
    assert places(lint("import keras\nsync()\n")) == [("TXL104", 2, 1)]


def test_a_rule_can_set_another_level() -> None:
    assert [f.level.value for f in lint(HEADER + "x = 2, 4\n").findings] == ["error", "note"]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("x = = 1\n", 1, 5),
        ("a\nif x:\n", 2, 6),
        ("é = = 1\n", 1, 5),
        ("x = (\n", 1, 5),
        ("a = 1\r\nb = = 2\r\n", 2, 5),
    ],
)
def test_syntax_errors(text: str, line: int, column: int) -> None:
    result = lint(text)
    assert result.has_syntax_error
    assert [(f.code, f.span.line) for f in result.findings] == [("TXL001", line)]
    assert result.findings[0].span.column in (column, column + 1)


def test_a_syntax_error_hides_the_rest() -> None:
    assert places(lint(HEADER + "sync()\nx = = 1\n")) == [("TXL001", 3, 5)]


def test_async_as_a_name_is_explained() -> None:
    (finding,) = lint("tf.config.experimental.async = True\n").findings
    assert "`async` is a keyword" in finding.message


def test_nesting_that_python_refuses() -> None:
    result = lint("x = " + "-" * 20_000 + "1\n")
    assert [f.code for f in result.findings] == ["TXL001"]


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"x = 1\ny = '\xff'\n", 2, "0xff is not valid utf-8"),
        (b"# coding: nonsense\n", 1, "nonsense"),
        (b"x\0\n", 1, "null bytes"),
        (b"# coding: hex\nx = 1\n", 1, "cannot be read in the encoding it declares, hex"),
        (b"# coding: rot13\nx = 1\n", 1, "the encoding it declares, rot13"),
        (b"# coding: punycode\nx = 1\n", 1, "punycode"),
        (b"# coding: undefined\nx = 1\n", 1, "undefined"),
    ],
)
def test_bytes_that_are_no_text(data: bytes, line: int, message: str) -> None:
    linter = Linter(CATALOGUE, LintOptions(CATALOGUE.defaults, CATALOGUE.codes))
    result, _ = linter.lint_bytes(data, "a.py")
    (finding,) = result.findings
    assert result.has_syntax_error
    assert (finding.code, finding.span.line) == ("TXL001", line)
    assert message in finding.message


def test_latin_1_is_read_as_declared() -> None:
    data = "# coding: latin-1\nimport tensorflow\nä = 'ö'; sync()\n".encode("latin-1")
    linter = Linter(CATALOGUE, LintOptions(CATALOGUE.defaults, CATALOGUE.codes))
    result, source = linter.lint_bytes(data, "a.py")
    assert places(result) == [("TXL104", 3, 10)]
    assert source.encoding == "iso-8859-1"


def test_old_string_escapes_draw_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    assert lint("x = '\\d'\n") == LintResult()
    assert not recwarn.list


def test_unfixable_rules_lose_their_fixes() -> None:
    (finding,) = lint(HEADER + "x = 1\n").findings
    assert finding.fix is not None
    (finding,) = lint(HEADER + "x = 1\n", fixable=frozenset()).findings
    assert finding.fix is None


def test_a_rule_that_is_for_speed_has_fixes_that_need_a_measurement() -> None:
    text = (
        HEADER
        + """
w = tf.Variable(tf.ones((64, 64)))


@tf.function
def step(x):
    y = tf.tanh(x @ w) * 2.0 + 1.0
    return tf.reduce_sum(tf.exp(y) * tf.sin(y))


for _ in range(100):
    step(tf.ones((8, 64)))
"""
    )
    catalogue = read_catalogue()
    (code,) = catalogue.for_xla
    options = LintOptions(frozenset({code}), frozenset({code}))
    (finding,) = Linter(catalogue, options).lint(Source("example.py", text)).findings
    assert finding.fix is not None
    assert finding.fix.needs_measurement
    assert finding.fix.variant == "xla"


# Precedence


LOOP = HEADER + "for i in x:\n    sync()\nsync()\n"


def test_one_problem_one_report() -> None:
    result = lint(LOOP)
    assert places(result) == [("TXL102", 2, 5), ("TXL104", 4, 1)]
    assert [(r.span.line, r.message) for r in result.findings[0].related] == [
        (2, "over this"),
        (3, "TXL104 a synchronisation"),
    ]


def test_deselecting_the_winner_does_not_revive_the_others() -> None:
    assert places(lint(LOOP, "TXL104")) == [("TXL104", 4, 1)]


def test_suppressing_the_winner_does_not_revive_the_others() -> None:
    text = LOOP.replace("x:", "x:  # noqa: TXL102")
    result = lint(text)
    assert places(result) == [("TXL104", 4, 1)]
    assert result.suppressed == 1


def test_a_suppression_of_the_weaker_one_is_used_and_drops_its_evidence() -> None:
    text = LOOP.replace("    sync()", "    sync()  # noqa: TXL104")
    result = lint(text)
    assert places(result) == [("TXL102", 2, 5), ("TXL104", 4, 1)]
    assert [r.message for r in result.findings[0].related] == ["over this"]


def span(start: int, end: int) -> Span:
    return Span(start, end, 1, start + 1, 1, end + 1)


def test_the_chain_of_winners() -> None:
    loop = Candidate("TXL102", span(0, 5), [span(0, 100)])
    function = Candidate("TXL101", span(10, 15), [span(10, 50)])
    sync = Candidate("TXL104", span(20, 25))
    assert PRECEDENCE.settle([sync, function, loop]) == [2]
    assert sorted(loop.absorbed) == [0, 1]


def test_the_nearest_winner_gets_the_evidence() -> None:
    outer = Candidate("TXL102", span(0, 1), [span(0, 100)])
    inner = Candidate("TXL102", span(30, 31), [span(30, 50)])
    sync = Candidate("TXL104", span(40, 42))
    assert PRECEDENCE.settle([outer, inner, sync]) == [0, 1]
    assert (outer.absorbed, inner.absorbed) == ([], [2])


def test_some_rules_win_only_at_the_same_node() -> None:
    numpy = Candidate("TXL305", span(0, 20))
    same = Candidate("TXL301", span(0, 20))
    inside = Candidate("TXL301", span(5, 10))
    assert PRECEDENCE.settle([numpy, same, inside]) == [0, 2]


@pytest.mark.parametrize(
    ("code", "winners"),
    [
        ("TXL104", {"TXL101", "TXL102", "TXL107"}),
        ("TXL101", {"TXL102"}),
        ("TXL501", {"TXL503"}),
        ("TXL102", set()),
    ],
)
def test_who_has_to_run_besides(code: str, winners: set[str]) -> None:
    assert PRECEDENCE.stronger_than({code}) - {"TXL506"} == winners


# Crashes


def test_a_crash_leaves_the_others_alone() -> None:
    result = lint(HEADER + "crash\nsync()\n")
    assert places(result) == [("TXL104", 3, 1)]
    (crash,) = result.crashed
    assert (crash.code, crash.message) == ("TXL301", "ValueError: no such thing")
    assert "Traceback" in crash.traceback


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("leave", "SystemExit: 0"),
        ("mute", "Unspeakable"),
        ("silent", "TypeError: its message is no text: None"),
    ],
)
def test_no_rule_ends_the_run(word: str, message: str) -> None:
    result = lint(HEADER + f"{word}\nsync()\n")
    assert places(result) == [("TXL104", 3, 1)]
    assert [crash.message for crash in result.crashed] == [message]


def test_a_crashed_rule_has_no_unused_suppressions() -> None:
    assert places(lint(HEADER + "crash  # noqa: TXL301\n")) == []


def test_two_equal_reports_are_one() -> None:
    assert places(lint(HEADER + "sync(twice)\n")) == [("TXL104", 2, 1)]
