"""What becomes of a fix, by the verdict on it; no TensorFlow is run here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tfxla_lint.findings import Finding
from tfxla_lint.fixer import fix_text
from tfxla_lint.linter import Linter
from tfxla_lint.registry import read_catalogue
from tfxla_lint.results import FileResult
from tfxla_lint.session import Session
from tfxla_lint.source import Source
from tfxla_lint.verify.pairs import Options
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.proof import Proof
from tfxla_lint.verify.verdicts import Evidence, Outcome, Timing, Verdict
from tfxla_lint.work import LintOptions, Mode, Work

UNSAFE = """\
import tensorflow as tf

w = tf.Variable(tf.ones((3, 1)))
data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 3]), tf.ones([64, 1]))).batch(8)
for epoch in range(4):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ w - y) ** 2) / x.shape[0]
        w.assign_sub(0.1 * tape.gradient(loss, w))
"""
SAFE = "import tensorflow as tf  # noqa: TXL501\n\nx = tf.add(1, 2)\n"
CODES = {UNSAFE: "TXL102", SAFE: "TXL002"}


def timing(variant: str, milliseconds: float, per: str = "call") -> Timing:
    return Timing(variant, milliseconds, per=per, calls=15)


class Judge(Proof):
    """A proof that knows its verdict without running anything."""

    verdict = Verdict("a.py", "step", Outcome.EQUIVALENT)

    def judge(
        self,
        path: Path,
        before: Source,
        after: Source,
        findings: Sequence[Finding],
        beside: Mapping[str, str] | None = None,
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
    timings: tuple[Timing, ...] = (),
) -> tuple[FileResult, str]:
    catalogue = read_catalogue()
    path = folder / "a.py"
    path.write_text(text)
    proof = Judge(Worker(), Options(), strict)
    evidence = (Evidence("value", "loss", "1.0", "2.0"),) if outcome is Outcome.DIFFERS else ()
    proof.verdict = Verdict(
        "a.py", "step", outcome, "no way", "arguments", evidence, timings=timings
    )
    enabled = frozenset({CODES.get(text, "TXL405"), "TXL001", "TXL003", "TXL501"})
    work = Work(path, "a.py", LintOptions(enabled, catalogue.codes), unsafe)
    result = Session(catalogue, mode, None, proof).process(work)
    assert not result.crashed
    return result, path.read_text()


def codes(result: FileResult) -> list[str]:
    return [finding.code for finding in result.findings]


def judged(result: FileResult) -> list[str]:
    return [verdict.outcome.value for item in result.checked for verdict in item.verdicts]


@pytest.mark.parametrize("text", [UNSAFE, SAFE])
def test_equivalent_is_written(text: str, tmp_path: Path) -> None:
    result, left = process(tmp_path, text, Outcome.EQUIVALENT)
    assert left != text
    assert codes(result) == []
    assert judged(result) == ["equivalent"]


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
    unsafe, strict = "unsafe" in options, "strict" in options
    result, left = process(tmp_path, text, Outcome.NOT_CHECKED, unsafe=unsafe, strict=strict)
    assert (left != text) is is_written
    assert [b.reason.endswith("verified: no way") for b in result.blocked] == [True] * (
        not is_written
    )


@pytest.mark.parametrize("outcome", list(Outcome))
def test_without_fix_nothing_is_written(outcome: Outcome, tmp_path: Path) -> None:
    result, left = process(tmp_path, UNSAFE, outcome, Mode.LINT)
    assert left == UNSAFE
    assert ("TXL003" in codes(result)) is (outcome is Outcome.DIFFERS)
    assert judged(result) == [outcome.value]


SPEED = """\
import tensorflow as tf


@tf.function
def diffuse(heat):
    for _ in tf.range(100):
        heat += 0.1 * (tf.roll(heat, 1, 0) - 2.0 * heat + tf.roll(heat, -1, 0))
    return heat


heat = tf.ones([64])
for step in range(1000):
    heat = diffuse(heat)
"""
FASTER = (timing("original", 1.0), timing("rewritten", 0.5))
SAME = (timing("original", 1.0), timing("rewritten", 0.95))
WHOLE = tuple(replace(item, per="run") for item in FASTER)


@pytest.mark.parametrize(
    ("outcome", "timings", "reason"),
    [
        (Outcome.EQUIVALENT, FASTER, None),
        (Outcome.EQUIVALENT, SAME, "it is not faster here: 0.95 ms a call against 1 ms"),
        (Outcome.EQUIVALENT, WHOLE, "it could not be measured: it is called too seldom, or not by"),
        (Outcome.EQUIVALENT, (), "it could not be measured: it is called too seldom, or not by"),
        (Outcome.NOT_CHECKED, FASTER, "it could not be checked: no way"),
    ],
)
def test_xla_has_to_be_faster(
    outcome: Outcome, timings: tuple[Timing, ...], reason: str | None, tmp_path: Path
) -> None:
    result, left = process(tmp_path, SPEED, outcome, unsafe=True, timings=timings)
    assert ("@tf.function(jit_compile=True)" in left) is (reason is None)
    assert codes(result) == ([] if reason is None else ["TXL405"])
    reasons = [item.reason for item in result.blocked]
    assert len(reasons) == (reason is not None)
    assert not reason or reasons[0].startswith(reason)


def test_xla_that_computes_something_else_is_refuted(tmp_path: Path) -> None:
    result, left = process(tmp_path, SPEED, Outcome.DIFFERS, unsafe=True, timings=FASTER)
    assert left == SPEED
    assert codes(result) == ["TXL003", "TXL405"]


def test_xla_competes_only_with_unsafe_fixes(tmp_path: Path) -> None:
    result, left = process(tmp_path, SPEED, Outcome.EQUIVALENT, timings=FASTER)
    assert (left, codes(result), result.checked) == (SPEED, ["TXL405"], ())


@pytest.mark.parametrize("unsafe", [False, True])
def test_xla_is_not_applied_unmeasured(unsafe: bool) -> None:
    options = LintOptions(frozenset({"TXL405"}), read_catalogue().codes)
    linter = Linter(read_catalogue(), options)
    outcome = fix_text(Source("a.py", SPEED), linter.lint, unsafe=unsafe)
    assert (outcome.text, len(outcome.remaining), outcome.blocked) == (SPEED, 1, ())


def test_xla_competes_with_the_version_that_the_other_fixes_made(tmp_path: Path) -> None:
    seen = []

    class Seeing(Judge):
        def judge(
            self,
            path: Path,
            before: Source,
            after: Source,
            findings: Sequence[Finding],
            beside: Mapping[str, str] | None = None,
        ) -> tuple[Verdict, ...]:
            seen.append([finding.code for finding in findings])
            return super().judge(path, before, after, findings, beside)

    safe = "\n\ndata = tf.add(1, 2)  # noqa: TXL501\n"
    path = tmp_path / "a.py"
    path.write_text(SPEED + safe)
    proof = Seeing(Worker(), Options())
    proof.verdict = Verdict("a.py", "diffuse", Outcome.EQUIVALENT, timings=FASTER)
    catalogue = read_catalogue()
    enabled = frozenset({"TXL405", "TXL002", "TXL501"})
    work = Work(path, "a.py", LintOptions(enabled, catalogue.codes), unsafe_fixes=True)
    Session(catalogue, Mode.FIX, None, proof).process(work)
    assert seen == [["TXL002"], ["TXL405"]]
