"""What the `build` of a layer does in a trace, where the step that is traced is the first to call it."""

from __future__ import annotations

import libcst as cst
import pytest

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.conditions import Condition, Gap
from tfxla_lint.semantics.safety.proof import unit_gaps
from tfxla_lint.source import Source

from .conftest import unit_named

PROGRAM = """\
import tensorflow as tf


class Scale(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.inner = tf.keras.layers.Dense(units)

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], self.units), initializer="ones")

    def call(self, x):
        return tf.matmul(x, self.w)


layer = Scale(1)
optimizer = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices((tf.ones([800, 4]), tf.ones([800, 1]))).batch(4)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(layer(x) - y))
    gradients = tape.gradient(loss, layer.trainable_variables)
    optimizer.apply_gradients(zip(gradients, layer.trainable_variables))
    return loss


for x, y in data:
    print(float(train_step(x, y)))
"""
PLAIN = '        self.w = self.add_weight(shape=(shape[-1], self.units), initializer="ones")\n'


def gaps(text: str) -> list[Gap]:
    model = SemanticModel.build(cst.parse_module(text), Source("example.py", text))
    found = unit_gaps(model, unit_named(model, "train_step"))
    return [gap for gap in found if "may run in a trace" in gap.words]


@pytest.mark.parametrize(
    "more",
    [
        "",
        "        self.built = True\n",
        "        super().build(shape)\n",
        "        self.inner.build(shape)\n",
        "        size = int(shape[-1])\n        self.size = max(size, 2)\n",
        '        if self.units > 1:\n            raise ValueError("too many")\n',
        "        self.b = self.add_weight(shape=(1,), initializer=tf.keras.initializers.Zeros())\n",
        "        self.other = tf.keras.layers.Dense(self.units)\n",
    ],
)
def test_weights_and_numbers_are_the_same(more: str) -> None:
    assert gaps(PROGRAM.replace(PLAIN, PLAIN + more)) == []


@pytest.mark.parametrize(
    "more",
    [
        "        self.freq = tf.range(1.0, 3.0)\n",
        "        self.centers = tf.Variable(tf.random.uniform((4, 2)))\n",
        "        self.b = tf.Variable(tf.zeros([2]))\n",
        "        self.w.assign(tf.ones([4, 1]))\n",
        "        self.root = float(tf.sqrt(tf.cast(shape[-1], tf.float32)))\n",
        "        self.twice = self.w * 2.0\n",
        "        self.keep(shape)\n",
        "        self.b = self.add_weight(shape=(1,), initializer=lambda s, dtype: tf.ones(s))\n",
    ],
)
def test_what_a_trace_has_otherwise_is_named(more: str) -> None:
    changed = PROGRAM.replace(PLAIN, PLAIN + more)
    assert [gap.condition for gap in gaps(changed)] == [Condition.EFFECTS]
    held = changed.replace("layer = Scale(1)", "layer = tf.keras.Sequential([Scale(1)])")
    assert gaps(held), "of a layer that another one holds"
    before = changed.replace("for x, y in data", "layer(tf.ones([4, 4]))\nfor x, y in data")
    assert gaps(before), "that the loop is always entered behind it is not asked of other functions"


def test_a_base_of_the_project_is_asked() -> None:
    base = PROGRAM.replace(PLAIN, "        self.freq = tf.range(1.0, 3.0)\n" + PLAIN)
    derived = "class Twice(Scale):\n    pass\n\n\nlayer = Twice(1)"
    assert gaps(base.replace("layer = Scale(1)", derived))
    own = derived.replace("pass", "def build(self, shape):\n        super().build(shape)")
    assert gaps(base.replace("layer = Scale(1)", own))
    assert gaps(PROGRAM.replace("layer = Scale(1)", own)) == []


def test_a_layer_that_is_built_by_then_is_not_built_in_the_trace() -> None:
    base = PROGRAM.replace(PLAIN, "        self.freq = tf.range(1.0, 3.0)\n" + PLAIN)
    functional = "given = tf.keras.Input([4])\nlayer = tf.keras.Model(given, Scale(1)(given))"
    assert gaps(base.replace("layer = Scale(1)", functional)) == []
