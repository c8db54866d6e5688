"""A clock that a trace freezes is a difference; one that is read beside the trace is none."""

from __future__ import annotations

import pytest

from .conftest import Verify

PROGRAM = """\
import time

import tensorflow as tf

w = tf.Variable(1.0)
took = []
for _ in range(6):
    began = time.{clock}()
    w.assign_sub(0.1 * w)
    took.append(time.{clock}() - began)
print("done", len(took))
"""
INSIDE = """\
@tf.function
def step():
    began = time.{clock}()
    w.assign_sub(0.1 * w)
    return time.{clock}() - began


for _ in range(6):
    took.append(float(step()))
"""
BESIDE = """\
@tf.function
def step():
    w.assign_sub(0.1 * w)


for _ in range(6):
    began = time.{clock}()
    step()
    took.append(time.{clock}() - began)
"""
LOOP = PROGRAM.partition("for _")[1] + PROGRAM.partition("for _")[2].partition("print")[0]


@pytest.mark.parametrize("clock", ["time", "perf_counter"])
def test_a_clock_in_a_trace_differs(clock: str, verify: Verify) -> None:
    old = PROGRAM.replace("{clock}", clock)
    new = PROGRAM.replace(LOOP, INSIDE).replace("{clock}", clock)
    (verdict,) = verify(old, new)
    assert verdict.outcome.value == "differs"
    assert str(verdict.evidence[0]) == (
        f"time.{clock}(): 12 calls in the original, 2 calls, frozen when traced, in the rewritten"
    )


@pytest.mark.parametrize("clock", ["time", "perf_counter"])
def test_a_clock_beside_a_trace_does_not(clock: str, verify: Verify) -> None:
    old, new = PROGRAM.replace("{clock}", clock), PROGRAM.replace(LOOP, BESIDE)
    (verdict,) = verify(old, new.replace("{clock}", clock))
    assert verdict.outcome.value == "equivalent"


def test_a_clock_that_was_frozen_before_does_not(verify: Verify) -> None:
    text = PROGRAM.replace(LOOP, INSIDE).replace("{clock}", "time")
    (verdict, *_) = verify(text, text.replace("0.1 * w", "w * 0.1"))
    assert verdict.outcome.value != "differs"


def test_a_loop_that_waits_for_the_clock_ends(verify: Verify) -> None:
    text = "import time\n\nimport tensorflow as tf\n\nw = tf.Variable(1.0)\nstop = time.time() + 0.3\nwhile time.time() < stop:\n    time.sleep(0.01)\nfor _ in range(2):\n    w.assign_sub(0.1 * w)\n"
    (verdict,) = verify(text, text.replace("0.1 * w", "w * 0.1"))
    assert verdict.outcome.value == "equivalent"


TIMED = """\
import time

import tensorflow as tf

weights = tf.Variable([1.0, 2.0])


def step(x):
    began = time.{clock}()
    weights.assign_sub(0.1 * x)
    return tf.reduce_sum(weights) * tf.cast(time.{clock}() - began, tf.float32)
"""
TRAINED = TIMED + "\n\nfor i in range(3):\n    loss = step(tf.ones([2]))\n"


@pytest.mark.parametrize("text", [TIMED, TRAINED], ids=["calls", "program"])
@pytest.mark.parametrize("clock", ["time", "perf_counter", "monotonic_ns", "process_time"])
def test_what_is_made_of_the_time_is_compared(clock: str, text: str, verify: Verify) -> None:
    text = text.replace("{clock}", clock)
    (verdict,) = verify(text, text.replace("0.1 * x", "x * 0.1"))
    assert (verdict.outcome.value, verdict.note) == ("equivalent", "")
    (verdict,) = verify(text, text.replace("reduce_sum", "reduce_mean"))
    assert verdict.outcome.value == "differs"


def test_a_clock_that_calls_freeze_differs(verify: Verify) -> None:
    text = TIMED.replace("{clock}", "perf_counter")
    (verdict,) = verify(text, text.replace("def step", "@tf.function\ndef step"))
    assert verdict.outcome.value == "differs"
    assert "frozen when traced" in str(verdict.evidence[0])


def test_a_rewrite_may_read_the_clock_less_often(verify: Verify) -> None:
    text = PROGRAM.replace("{clock}", "time").replace("took = []", "took = []\nfirst = time.time()")
    text += "elapsed = time.time() - first\n"
    new = text.replace("    began = time.time()\n", "").replace(
        "    took.append(time.time() - began)\n", "    took.append(0.0)\n"
    )
    verdicts = verify(text, new)
    assert {v.outcome.value for v in verdicts} == {"equivalent"}, verdicts
    assert "elapsed" in verdicts[0].note
    wrong = new.replace("0.1 * w", "0.2 * w")
    assert verify(text, wrong)[0].outcome.value == "differs"


def test_a_timestamp_takes_the_place_of_a_frozen_clock(verify: Verify) -> None:
    text = "import time\nimport tensorflow as tf\n\n\n@tf.function\ndef f(x):\n    return tf.reduce_sum(x), tf.constant(time.time(), tf.float64)\n\n\nstamps = [f(tf.ones([2])) for _ in range(3)]\n"
    new = text.replace("tf.constant(time.time(), tf.float64)", "tf.timestamp()")
    (verdict,) = verify(text, new, correcting=True)
    assert (verdict.outcome.value, verdict.note) == ("equivalent", "")
