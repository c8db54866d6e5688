"""What makes code run that raised is safe where nothing may have lived on its failing."""

from __future__ import annotations

import pytest

from tfxla_lint.findings import Applicability
from tfxla_lint.source import Source

from .cases import linter_of

HEAD = "import tensorflow as tf\n\n\n"
TOTAL = "def total(x):\n    return tf.reduce_sum(x, keep_dims=True)\n\n\n"
RATE = "optimizer = tf.keras.optimizers.SGD(0.5)\n"

SAFE = {
    "a call": TOTAL + "print(total(tf.ones([2])))\n",
    "a static method": (
        "class A:\n    @staticmethod\n    def total(x):\n"
        "        return tf.reduce_sum(x, keep_dims=True)\n\n\nprint(A.total(tf.ones([2])))\n"
    ),
    "something else is tried": (
        TOTAL
        + "try:\n    import json\nexcept ImportError:\n    json = None\nprint(total(tf.ones([2])))\n"
    ),
    "a rate is read": RATE + "print(optimizer.lr)\n",
}
UNSAFE = {
    "a caller tries": (
        TOTAL + "try:\n    print(total(tf.ones([2])))\nexcept TypeError:\n    print('other')\n"
    ),
    "a caller's caller tries": (
        TOTAL + "def twice(x):\n    return total(x) * 2.0\n\n\n"
        "try:\n    print(twice(tf.ones([2])))\nexcept ValueError:\n    print('other')\n"
    ),
    "a context": (
        "import unittest\n\n\n" + TOTAL + "class T(unittest.TestCase):\n    def test(self):\n"
        "        with self.assertRaises(TypeError):\n            total(tf.ones([2]))\n"
    ),
    "an end goes on": (
        TOTAL + "for _ in range(2):\n    try:\n        total(tf.ones([2]))\n    finally:\n        continue\n"
    ),
    "a decorator": (
        "def kept(f):\n    def run(x):\n        try:\n            return f(x)\n"
        "        except Exception:\n            return x\n    return run\n\n\n@kept\n"
        + TOTAL + "print(total(tf.ones([2])))\n"
    ),
    "an executor": (
        "from concurrent.futures import ThreadPoolExecutor\n\n\n" + TOTAL
        + "with ThreadPoolExecutor() as pool:\n    found = pool.submit(total, tf.ones([2]))\n"
        "print(found.exception())\n"
    ),
    "a rate is set": RATE + "optimizer.lr = 0.1\n",
    "a rate is set and read": RATE + "optimizer.lr = 0.1\nprint(optimizer.lr)\n",
}  # fmt: skip
OWN = {
    "a class attribute": "class S(tf.keras.optimizers.SGD):\n    lr = 7\n\n\nprint(S(0.5).lr)\n",
    "a lambda": (
        "class M(tf.keras.metrics.Mean):\n    reset_states = lambda self: print('own')\n\n\n"
        "M().reset_states()\n"
    ),
}


def degrees(text: str) -> set[Applicability]:
    """How safe the fixes of names and arguments are that TensorFlow does not have."""
    source = Source.from_bytes((HEAD + text).encode(), "module.py")
    found = [f for code in ("TXL501", "TXL502") for f in linter_of(code).lint(source).findings]
    return {finding.fix.applicability for finding in found if finding.fix is not None}


@pytest.mark.parametrize("text", SAFE.values(), ids=SAFE)
def test_what_nothing_catches_is_safe(text: str) -> None:
    assert degrees(text) == {Applicability.SAFE}


@pytest.mark.parametrize("text", UNSAFE.values(), ids=UNSAFE)
def test_what_may_be_caught_or_has_no_effect_is_unsafe(text: str) -> None:
    assert degrees(text) == {Applicability.UNSAFE}


@pytest.mark.parametrize("text", OWN.values(), ids=OWN)
def test_what_the_project_defines_is_its_own(text: str) -> None:
    assert degrees(text) == set()
