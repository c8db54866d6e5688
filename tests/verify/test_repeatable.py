"""What comes from outside a program neither hides a difference nor makes one."""

from __future__ import annotations

import pytest

from .conftest import Verify, outcomes

DRAWING = """\
import os
import random
import time
import uuid
import numpy as np
import tensorflow as tf

rng = {maker}


def f(x):
    return tf.reduce_sum(x) + {draw}
"""
DRAWS = {
    "default_rng": ("np.random.default_rng()", "rng.normal()"),
    "SeedSequence": ("np.random.default_rng(np.random.SeedSequence())", "rng.normal()"),
    "RandomState": ("np.random.RandomState()", "rng.normal()"),
    "Random": ("random.Random()", "rng.random()"),
    "urandom": ("None", "float(os.urandom(1)[0])"),
    "uuid": ("None", "float(uuid.uuid4().int % 997)"),
    "time": ("None", "time.time()"),
}


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("how", ["same", "frozen"])
def test_draws(name: str, how: str, verify: Verify) -> None:
    maker, draw = DRAWS[name]
    text = DRAWING.format(maker=maker, draw=draw)
    new = {
        "same": text.replace("tf.reduce_sum(x)", "tf.math.reduce_sum(x)"),
        "frozen": text.replace("def f(", "@tf.function\ndef f("),
    }[how]
    expected = {"same": "equivalent", "frozen": "differs"}[how]
    assert outcomes(verify(text, new)) == {"f": expected}


def test_another_reduction_beside_a_draw_differs(verify: Verify) -> None:
    text = DRAWING.format(maker="np.random.default_rng()", draw="rng.normal()")
    assert outcomes(verify(text, text.replace("reduce_sum", "reduce_mean"))) == {"f": "differs"}


def test_results_that_never_repeat_are_not_checked(verify: Verify) -> None:
    text = DRAWING.format(maker="None", draw="float(open('/dev/urandom', 'rb').read(1)[0])")
    new = text.replace("reduce_sum", "reduce_mean")
    (verdict,) = verify(text, new)
    assert verdict.outcome.value == "not checked"
    assert "from run to run" in verdict.reason
