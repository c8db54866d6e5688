"""A TensorFlow 1 file gets one note, and its other findings are withheld."""

from __future__ import annotations

from tfxla_lint.linter import Linter
from tfxla_lint.precedence import Candidate, Precedence
from tfxla_lint.registry import read_catalogue
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions

TEXT = """import tensorflow as tf

x = tf.placeholder(tf.float32)
y = tf.reduce_sum(x, keep_dims=True)
tf.experimental.async_data_transfer(y)
z = 1  # noqa: TXL204
with tf.Session() as session:
    session.run(y)
"""


def codes(text: str, without: str = "") -> list[str]:
    """The codes of what all rules but one say."""
    catalogue = read_catalogue()
    options = LintOptions(catalogue.codes - {without}, catalogue.codes)
    return [f.code for f in Linter(catalogue, options).lint(Source("example.py", text)).findings]


def test_one_note_and_what_the_tool_itself_says() -> None:
    assert codes(TEXT) == ["TXL506", "TXL002"]


def test_deselecting_the_note_revives_nothing() -> None:
    assert codes(TEXT, "TXL506") == ["TXL002"]


def test_suppressing_the_note_revives_nothing() -> None:
    silenced = TEXT.replace("tf.float32)", "tf.float32)  # noqa: TXL506")
    assert codes(silenced) == ["TXL002"]


def test_its_evidence_is_its_own() -> None:
    catalogue = read_catalogue()
    linter = Linter(catalogue, LintOptions(catalogue.codes, catalogue.codes))
    (note, _) = linter.lint(Source("example.py", TEXT)).findings
    assert [place.span.line for place in note.related] == [7]


def test_plug_ins_go_on() -> None:
    from tfxla_lint.findings import Span

    def span(start: int, end: int) -> Span:
        return Span(start, end, 1, start + 1, 1, end + 1)

    note = Candidate("TXL506", span(5, 9), [span(0, 100)])
    loop = Candidate("TXL102", span(10, 20), [span(10, 50)])
    sync = Candidate("TXL104", span(30, 35))
    other = Candidate("ABC001", span(30, 35))
    precedence = Precedence(read_catalogue().rules)
    assert precedence.settle([note, loop, sync, other]) == [0, 3]
    assert note.absorbed == []
