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


#: What is passed has rows of unlike lengths, of words and of floats.
RAGGED = """\
import tensorflow as tf


def kept(words, weights):
    total = tf.reduce_sum(weights, axis=1)
    return tf.strings.reduce_join(words, 1, separator=" "), total * 2.0


words = tf.ragged.constant([["a", "cat"], [], ["b"], ["d", "e", "f"]])
weights = tf.ragged.constant([[0.5, 0.25], [], [2.0], [1.0, 4.0, -3.0]])
for turn in range(2):
    for part in kept(words, weights * (turn + 1.0)):
        print(part.numpy().tolist())
"""


def test_ragged_arguments_are_made_other_than_they_were(verify: Verify) -> None:
    right = RAGGED.replace("total * 2.0", "total + total")
    (verdict,) = verify(RAGGED, right, power=True)
    assert (verdict.outcome.value, verdict.method) == ("equivalent", "program"), verdict.reason
    wrong = RAGGED.replace("total * 2.0", "tf.minimum(total * 2.0, 9.5)")
    assert outcomes(verify(RAGGED, wrong, power=True)) == {"kept": "differs"}


def test_values_are_looked_for_that_come_to_all_lines(verify: Verify) -> None:
    text = (
        "import tensorflow as tf\n\n\ndef f(x):\n    found = []\n    for row in x.numpy():\n"
        "        if row[0] >= 0.5:\n            found.append(1)\n        elif row[0] < 0.45:\n"
        "            found.append(-1)\n        else:\n            found.append(-2)\n"
        "    return tf.constant(found)\n"
    )
    new = (
        "import tensorflow as tf\n\n\ndef f(x):\n    low = tf.where(x[:, 0] < 0.45, -1, {})\n"
        "    return tf.where(x[:, 0] >= 0.5, 1, low)\n"
    )
    (verdict,) = verify(text, new.format(-2), power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    assert outcomes(verify(text, new.format(-3), power=True)) == {"f": "differs"}


SPREAD = """\
import numpy as np


def f(rows):
    spread = np.std(rows, axis=0)
    return (rows - np.mean(rows, axis=0)) / np.where(spread == 0, 1.0, spread)
"""
SHOWN = "\n\nprint(f(np.array([[1.0, -8.0, 3.0], [4.0, 9.0, 3.0]])))\n"


def test_values_are_small_as_well(verify: Verify) -> None:
    wrong = SPREAD.replace("np.where(spread == 0, 1.0, spread)", "np.maximum(spread, 1.0)")
    for end in ("", SHOWN):
        assert outcomes(verify(SPREAD + end, wrong + end, power=True)) == {"f": "differs"}
