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
