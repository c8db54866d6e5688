"""Differences that tame arguments do not show."""

from __future__ import annotations

import pytest

from .conftest import Verify, outcomes

PAIRS = {
    "axis": ("def f(x):\n    return tf.reduce_sum(x, axis=-1)\n", "axis=-1", "axis=1"),
    "negative": ("def f(x, n: int):\n    return x * abs(n)\n", "abs(n)", "n"),
    "constant": (
        "def f(x, n: int):\n    return x * 2.0 if n > 17 else x\n",
        "n > 17",
        "n > 16",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_differs(name: str, verify: Verify) -> None:
    text, old, new = PAIRS[name]
    text = "import tensorflow as tf\n\n\n" + text
    assert outcomes(verify(text, text.replace(old, new))) == {"f": "differs"}
