"""Which function of TensorFlow a call passes its arguments to."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from rules.api.shared.outside import outside_call
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]
HEAD = """
import functools
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers, optimizers
"""


def names(build: Build, code: str) -> set[str]:
    """What the last `target(...)` of some code runs, without `tensorflow.`; the call is marked."""
    model = build(HEAD + code)
    marked = [c for c in model.nodes(cst.Call) if any(_is_mark(a) for a in c.args)]
    outside = outside_call(model, marked[-1])
    return set() if outside is None else {n.removeprefix("tensorflow.") for n in outside.names}


def _is_mark(argument: cst.Arg) -> bool:
    return argument.keyword is not None and argument.keyword.value == "mark"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("tf.reduce_sum(1, mark=2)", {"reduce_sum"}),
        ("layers.Dense(1, mark=2)", {"keras.layers.Dense"}),
        ("@tf.function(mark=True)\ndef f(x): ...", {"function"}),
        ("functools.partial(layers.Dense, mark=1)", {"keras.layers.Dense"}),
        ("D = functools.partial(layers.Dense, 3)\nD(mark=1)", {"keras.layers.Dense"}),
        ("jit = functools.partial(tf.function, jit_compile=True)\njit(len, mark=1)", {"function"}),
        ("m = keras.Sequential()\nm.fit(mark=1)", {"keras.Sequential.fit"}),
        ("with tf.GradientTape() as t: ...\nt.gradient(mark=1)", {"GradientTape.gradient"}),
        ("tf.data.Dataset.range(3).map(len, mark=1)", {"data.Dataset.map"}),
        ("v = tf.Variable(1.0)\nv.assign(mark=1)", {"Variable.assign", "keras.Variable.assign"}),
        ("o = optimizers.SGD()\no.apply_gradients(mark=1)", {"keras.optimizers.SGD.apply_gradients"}),
        ("class A(optimizers.SGD): ...\nA(mark=1)", {"keras.optimizers.SGD"}),
        ("class A(layers.Layer):\n  def f(self): self.add_weight(mark=1)", {"keras.layers.Layer.add_weight"}),
        ("class A(layers.Layer):\n  def __init__(self): super().__init__(mark=1)", {"keras.layers.Layer"}),
    ],
)  # fmt: skip
def test_known(build: Build, code: str, expected: set[str]) -> None:
    assert names(build, code) == expected


@pytest.mark.parametrize(
    "code",
    [
        "unknown(mark=1)",
        "print(mark=1)",
        "def f(o): o.apply_gradients(mark=1)",
        "D = functools.partial(layers.Dense, 3)\nD = len\nD(mark=1)",
        "class A(optimizers.SGD):\n  def __init__(self, mark): ...\nA(mark=1)",
        "@register\nclass A(optimizers.SGD): ...\nA(mark=1)",
        "from mixins import Base\nclass A(Base, optimizers.SGD): ...\nA(mark=1)",
        "class B: ...\nclass A(B, layers.Layer):\n  def __init__(self): super().__init__(mark=1)",
        "class A(layers.Layer):\n  def __init__(self): super(B, self).__init__(mark=1)",
        "class A(keras.Model):\n  def fit(self, mark): ...\nA().fit(mark=1)",
        "m = keras.models.load_model('m')\nm.fit(mark=1)",
    ],
)
def test_unknown(build: Build, code: str) -> None:
    assert names(build, code) == set()
