"""Where nothing that the changed code computes could be compared, nothing is called equivalent."""

from __future__ import annotations

import pytest

from .conftest import Verify

LOCALS = """\
import tensorflow as tf

EPOCHS = 3


def step(w, x):
    w.assign_sub(0.1 * x)


def main():
    w = tf.Variable([1.0, 2.0])
    for epoch in range(EPOCHS):
        step(w, tf.ones([2]))
        {prints}


if __name__ == "__main__":
    main()
"""
SILENT = {
    "prints nothing": "pass",
    "prints a word": "print('done')",
    "counts": "print(f'epoch {epoch + 1}/{EPOCHS}')",
    "tells the time": "print(f'{__import__(\"time\").time():.2f} s')",
}
TELLING = {
    "prints a float": "print(f'epoch {epoch + 1}: {float(w[0]):.3f}')",
    "prints a whole number": "print('sum', int(100 * tf.reduce_sum(w)))",
}
SAME, WRONG = "0.1 * x", "0.2 * x"


@pytest.mark.parametrize("prints", SILENT.values(), ids=SILENT)
def test_a_program_that_shows_nothing_is_not_checked(prints: str, verify: Verify) -> None:
    text = LOCALS.replace("{prints}", prints)
    text = text.replace("w.assign_sub(0.1 * x)", "tf.reduce_sum(w - 0.1 * x)")
    text = text.replace("tf.Variable", "tf.constant")
    (verdict,) = verify(text, text.replace(SAME, WRONG))
    assert verdict.outcome.value == "not checked"
    assert "nothing that the changed code computes could be compared" in verdict.reason


@pytest.mark.parametrize("prints", TELLING.values(), ids=TELLING)
def test_a_program_that_shows_a_value_is_judged(prints: str, verify: Verify) -> None:
    text = LOCALS.replace("{prints}", prints)
    (verdict,) = verify(text, text.replace(SAME, "x * 0.1"))
    assert verdict.outcome.value == "equivalent"
    (verdict,) = verify(text, text.replace(SAME, WRONG))
    assert verdict.outcome.value == "differs"


LOOP = """\
import time

import tensorflow as tf

data = [tf.ones([2]) * i for i in range(3)]
began = time.time()
for turn, x in enumerate(data):
    y = tf.reduce_sum(x * 2.0)
    del y
took = time.time() - began
"""


def test_what_loops_go_through_and_clocks_are_no_results(verify: Verify) -> None:
    (verdict,) = verify(LOOP, LOOP.replace("x * 2.0", "x * 3.0"))
    assert verdict.outcome.value == "not checked"
    kept = LOOP.replace("    del y\n", "")
    (verdict,) = verify(kept, kept.replace("x * 2.0", "x + x"))
    assert verdict.outcome.value == "equivalent"


FAILING = """\
import collections

import tensorflow as tf

w = tf.Variable(1.0)


def step(batch):
    if batch.number > 1.0:
        raise ValueError("too large")
    w.assign_sub(0.1 * batch.number)
    return w * 2.0


Batch = collections.namedtuple("Batch", "number")
for i in range(4):
    loss = step(Batch(float(i)))
"""


def test_programs_that_end_with_the_same_error_are_not_checked(verify: Verify) -> None:
    (verdict,) = verify(FAILING, FAILING.replace("w * 2.0", "w + w"))
    assert verdict.outcome.value == "not checked"
    assert verdict.reason.startswith(
        "not checked beyond line 10: both versions end with ValueError: too large; no arguments"
    )


@pytest.mark.parametrize("change", [("0.1 *", "0.2 *"), ("too large", "it is 2"),
                                    ("ValueError", "TypeError")])  # fmt: skip
def test_what_differs_before_the_error_or_in_it_does(
    change: tuple[str, str], verify: Verify
) -> None:
    (verdict,) = verify(FAILING, FAILING.replace(*change))
    assert verdict.outcome.value == "differs"


def test_a_trace_may_wrap_the_message(verify: Verify) -> None:
    new = FAILING.replace("def step", "@tf.function\ndef step")
    (verdict,) = verify(FAILING, new)
    assert (verdict.outcome.value, verdict.evidence) == ("not checked", ())


def test_calls_that_fail_alike_are_not_checked(verify: Verify) -> None:
    text = "# tfxla-lint: verify f(tf.ones([2]))\nimport tensorflow as tf\n\n\ndef f(x):\n    if x.shape[0]:\n        raise ValueError('not empty')\n    return x * open('none')\n"
    (verdict,) = verify(text, text.replace("open('none')", "3.0"))
    assert (verdict.outcome.value, verdict.method) == ("not checked", "examples")
    assert verdict.reason.startswith("both versions end with ValueError: not empty; no arguments")
    (verdict,) = verify(text, text.replace("not empty", "full"))
    assert verdict.outcome.value == "differs"


BRANCH = """\
import tensorflow as tf

DEBUG = False


def step(x):
    y = tf.reduce_sum(x)
    if DEBUG:
        if x.shape[0] > 1:
            y = y * 2.0
    else:
        y = y + 1.0
    return y
{rest}
"""
RESTS = {"calls": "", "program": "\n\nloss = step(tf.ones([2]))\nprint(float(loss))"}


@pytest.mark.parametrize("method", RESTS)
def test_a_change_in_a_branch_that_is_not_taken_is_not_checked(method: str, verify: Verify) -> None:
    text = BRANCH.replace("{rest}", RESTS[method])
    for new in ("y * 3.0", "y * 2.0; print(y)"):
        (verdict,) = verify(text, text.replace("y * 2.0", new))
        assert verdict.outcome.value == "not checked"
        assert "none of the statements that were changed in it do" in verdict.reason
    taken = text.replace("DEBUG = False", "DEBUG = True")
    (verdict,) = verify(taken, taken.replace("y * 2.0", "y + y"))
    assert verdict.outcome.value == "equivalent"
    (verdict,) = verify(taken, taken.replace("y * 2.0", "y * 3.0"))
    assert verdict.outcome.value == "differs"


@pytest.mark.parametrize("method", RESTS)
def test_a_change_in_a_branch_that_is_not_taken_beside_one_that_runs_is_not_checked(
    method: str, verify: Verify
) -> None:
    text = BRANCH.replace("{rest}", RESTS[method])
    traced = text.replace("def step", "@tf.function\ndef step")
    (verdict,) = verify(text, traced)
    assert verdict.outcome.value == "equivalent"
    (verdict,) = verify(text, traced.replace("y * 2.0", "y + y"))
    assert verdict.outcome.value == "not checked"
    assert verdict.reason == "line 11 was not run and line 10 of the original was not run"
    for new in ("y + y", "y * 3.0"):
        (verdict,) = verify(text, text.replace("y * 2.0", new).replace("y + 1.0", "1.0 + y"))
        assert verdict.outcome.value == "not checked"
        assert verdict.reason == "line 10 was not run and line 10 of the original was not run"
        assert (verdict.ran.rewritten, verdict.changed.rewritten) == ((12,), (10, 12))


def test_a_change_after_an_error_that_the_program_catches_is_judged_by_calls(
    verify: Verify,
) -> None:
    text = """\
import tensorflow as tf

w = tf.Variable([1.0, 2.0])


def step(x):
    loss = tf.reduce_sum(w * x)
    w.assign_sub(0.1 * x)
    return loss


try:
    step(tf.ones([3]))
except Exception:
    pass
print("done 1")
"""
    (verdict,) = verify(text, text.replace("0.1 *", "0.2 *"))
    assert (verdict.outcome.value, verdict.method) == ("differs", "arguments")


CALL = """\
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
zero = tf.constant([0.0, 1.0])


def f(x):
    {body}


{rest}
"""
#: The original has a number where the rewritten has a NaN, and all else is the same.
HALF = "(tf.math.divide_no_nan(zero, zero))"
NANS = {
    "result of a call": ("return tf.reduce_sum(x) * 0.0 + {half}", ""),
    "variable after a call": ("w.assign({half})", ""),
    "gradient": ("return x * tf.stop_gradient(1.0) if False else g(x, {half})",
                 "@tf.custom_gradient\ndef g(x, half):\n"
                 "    return x * 1.0, lambda d: (d * tf.reduce_sum(half), None)"),
    "variable of a program": ("w.assign({half})", "f(0.0)"),
    "result in a program": ("return {half}", "y = f(0.0)"),
    "print": ("print({half}[0].numpy())", "f(0.0)"),
}  # fmt: skip


@pytest.mark.parametrize("name", NANS)
def test_nan_on_one_side_alone_differs(name: str, verify: Verify) -> None:
    body, rest = NANS[name]
    text = CALL.replace("{body}", body).replace("{rest}", rest).replace("{half}", HALF)
    verdicts = verify(text, text.replace(HALF, "(zero / zero)"))
    assert [v.outcome.value for v in verdicts] == ["differs"], verdicts
    assert "nan" in str(verdicts[0].evidence[0])
    verdicts = verify(
        text.replace(HALF, "(zero / zero)"), text.replace(HALF, "tf.divide(zero, zero)")
    )
    assert [v.outcome.value for v in verdicts] == ["equivalent"], verdicts
