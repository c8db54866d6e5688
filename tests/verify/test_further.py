"""Differences that tame arguments do not show."""

from __future__ import annotations

import pytest

from .conftest import Verify, outcomes

PAIRS = {
    "negative": ("def f(x, n: int):\n    return x * abs(n)\n", "abs(n)", "n"),
    "constant": (
        "def f(x, n: int):\n    return x * 2.0 if n > 17 else x\n",
        "n > 17",
        "n > 16",
    ),
    "masked": (
        "def f(scores, kept):\n    best = tf.constant(0.0)\n    for i in range(scores.shape[0]):\n"
        "        if kept[i, 0]:\n            best += scores[i, 0]\n    return best\n",
        "        if kept[i, 0]:\n            best += scores[i, 0]\n",
        "        best += scores[i, 0]\n",
    ),
    "hidden": (
        "def f(x, kept):\n    return tf.reduce_sum(tf.where(kept, x, 0.0))\n",
        "tf.where(kept, x, 0.0)",
        "x * tf.cast(kept, x.dtype)",
    ),
    "NaN in one of them": (
        "def f(y, p):\n    known = tf.math.is_finite(y)\n    y = tf.where(known, y, 0.0)\n"
        "    return tf.reduce_sum(tf.abs(y - p) * tf.cast(known, y.dtype))\n",
        "    y = tf.where(known, y, 0.0)\n",
        "",
    ),
    "left out": (
        "def f(labels, scores):\n    losses = tf.gather(scores, tf.maximum(labels, 0), axis=1)\n"
        "    losses = tf.where(labels == -1, 0.0, losses)\n    return tf.reduce_sum(losses)\n",
        "    losses = tf.where(labels == -1, 0.0, losses)\n",
        "",
    ),
    "zero": (
        "def f(x):\n    return tf.math.divide_no_nan(1.0, x)\n",
        "tf.math.divide_no_nan(1.0, x)",
        "1.0 / x",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_differs(name: str, verify: Verify) -> None:
    text, old, new = PAIRS[name]
    text = "import tensorflow as tf\n\n\n" + text
    assert outcomes(verify(text, text.replace(old, new))) == {"f": "differs"}


def test_a_further_argument_that_never_ends_is_left_out(verify: Verify) -> None:
    seconds = 4.0
    text = (
        "import tensorflow as tf\n\n\ndef f(x, n: int):\n    while n != 0:\n"
        "        x = x * 2.0\n        n -= 1\n    return x\n"
    )
    (verdict,) = verify(text, text.replace("x * 2.0", "x + x"), seconds=seconds)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    (verdict,) = verify(text, text.replace("x * 2.0", "x * 3.0"), seconds=seconds)
    assert verdict.outcome.value == "differs"
