"""What becomes of a fix, by the verdict on it; no TensorFlow is run here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tfxla_lint.findings import Finding
from tfxla_lint.linter import LintOptions
from tfxla_lint.registry import read_catalogue
from tfxla_lint.results import FileResult
from tfxla_lint.session import Mode, Session, Work
from tfxla_lint.source import Source
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.proof import Proof
from tfxla_lint.verify.verdicts import Evidence, Outcome, Timing, Verdict
from tfxla_lint.verify.verifier import Options

UNSAFE = """\
import tensorflow as tf

w = tf.Variable(tf.ones((3, 1)))
data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 3]), tf.ones([64, 1]))).batch(8)
for epoch in range(4):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ w - y) ** 2)
        w.assign_sub(0.1 * tape.gradient(loss, w))
"""
SAFE = "import tensorflow as tf  # noqa: TXL501\n\nx = tf.add(1, 2)\n"
CODES = {UNSAFE: "TXL102", SAFE: "TXL002"}


class Judge(Proof):
    """A proof that knows its verdict without running anything."""

    verdict = Verdict("a.py", "step", Outcome.EQUIVALENT)

    def judge(
        self, path: Path, before: Source, after: Source, findings: Sequence[Finding]
    ) -> tuple[Verdict, ...]:
        return (self.verdict,)


def process(
    folder: Path,
    text: str,
    outcome: Outcome,
    mode: Mode = Mode.FIX,
    *,
    unsafe: bool = False,
    strict: bool = False,
) -> tuple[FileResult, str]:
    catalogue = read_catalogue()
    path = folder / "a.py"
    path.write_text(text)
    proof = Judge(Worker(), Options(), strict)
    evidence = (Evidence("value", "loss", "1.0", "2.0"),) if outcome is Outcome.DIFFERS else ()
    proof.verdict = Verdict("a.py", "step", outcome, "no way", "arguments", evidence)
    enabled = frozenset({CODES[text], "TXL001", "TXL003", "TXL501"})
    work = Work(path, "a.py", LintOptions(enabled, catalogue.codes), unsafe)
    result = Session(catalogue, mode, None, proof).process(work)
    assert not result.crashed
    return result, path.read_text()


def codes(result: FileResult) -> list[str]:
    return [finding.code for finding in result.findings]


@pytest.mark.parametrize("text", [UNSAFE, SAFE])
def test_equivalent_is_written(text: str, tmp_path: Path) -> None:
    result, left = process(tmp_path, text, Outcome.EQUIVALENT)
    assert left != text
    assert codes(result) == []
    assert [item.outcome for item in result.checked] == ["equivalent"]


@pytest.mark.parametrize("text", [UNSAFE, SAFE])
def test_what_differs_is_withdrawn_and_reported(text: str, tmp_path: Path) -> None:
    result, left = process(tmp_path, text, Outcome.DIFFERS, unsafe=True)
    assert left == text
    assert set(codes(result)) == {CODES[text], "TXL003"}
    assert result.blocked == ()
    finding = next(f for f in result.findings if f.code == "TXL003")
    assert finding.message == (
        f"the fix of {CODES[text]} computes something else: in step, loss: 1.0 in the original,"
        " 2.0 in the rewritten"
    )


@pytest.mark.parametrize(
    ("text", "options", "is_written"),
    [
        (SAFE, set(), True),
        (SAFE, {"strict"}, False),
        (UNSAFE, set(), False),
        (UNSAFE, {"unsafe"}, True),
        (UNSAFE, {"unsafe", "strict"}, False),
    ],
)
def test_what_could_not_be_checked(
    text: str, options: set[str], is_written: bool, tmp_path: Path
) -> None:
    given = {"unsafe": "unsafe" in options, "strict": "strict" in options}
    result, left = process(tmp_path, text, Outcome.NOT_CHECKED, Mode.FIX, **given)
    assert (left != text) is is_written
    assert [b.reason.endswith("verified: no way") for b in result.blocked] == [True] * (
        not is_written
    )


@pytest.mark.parametrize("outcome", list(Outcome))
def test_without_fix_nothing_is_written(outcome: Outcome, tmp_path: Path) -> None:
    result, left = process(tmp_path, UNSAFE, outcome, Mode.LINT)
    assert left == UNSAFE
    assert ("TXL003" in codes(result)) is (outcome is Outcome.DIFFERS)
    assert [item.outcome for item in result.checked] == [outcome.value]


def test_xla_has_to_be_faster(tmp_path: Path) -> None:
    from tfxla_lint.verify.proof import _is_not_faster

    slow = (Timing("original", 1.0), Timing("rewritten", 0.95))
    fast = (Timing("original", 1.0), Timing("rewritten", 0.5))
    result, _ = process(tmp_path, UNSAFE, Outcome.DIFFERS)
    finding = result.findings[0]
    import dataclasses

    compiled = dataclasses.replace(finding, code="TXL405")
    verdict = Verdict("a.py", "step", Outcome.EQUIVALENT)
    assert _is_not_faster([compiled], [dataclasses.replace(verdict, timings=slow)])
    assert not _is_not_faster([compiled], [dataclasses.replace(verdict, timings=fast)])
    assert not _is_not_faster([finding], [dataclasses.replace(verdict, timings=slow)])
