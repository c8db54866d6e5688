"""Constants where nobody expects them: what is computed of them fails no rule."""

from __future__ import annotations

import pytest

from tools.fuzz.oddities import Odd, Oddities

LOOP = """\
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([{layer}])
dataset = tf.data.Dataset.from_tensor_slices(np.zeros((64, 8, 8, 3), "float32")).batch(8)


def step(x):
    {statement}


for x in dataset:
    step(x)
"""

TRAINING = """\
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([{layer}, tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
dataset = tf.data.Dataset.from_tensor_slices(np.zeros((64, 8, 8, 3), "float32")).batch(8)

for epoch in range(10**12):
    for x in dataset.repeat(2**62).repeat(2**62):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""


@pytest.fixture(scope="module")
def oddities() -> Oddities:
    return Oddities(seed=0)


@pytest.mark.parametrize(
    "statement",
    [
        "for i in range(10**30):\n        print(x[i])",
        "y = [float(x[i]) for i in range(10**30)]",
        "y = [float(x[i]) for i in range(0, 10, 0)]",
        "for i in range(1, 2, 3, 4):\n        print(float(x[i]))",
        "y = [tf.gradients(x[i], x) for i in range(-(2**63), 2**63 - 1)]",
        "y = tf.range(10**30)[:2**70]",
        "y = tf.reshape(x, -1)[-(2**40):]",
        "y = x[::2**80]",
        "y = tf.eye([])",
        "y = tf.eye(-1)[1:]",
        "y = tf.one_hot(tf.range(3), [])",
        "y = tf.linspace(0.0, 1.0, [])",
        "y = tf.concat([x, x], [])",
        "y = tf.stack([x, x], [0, 1])",
        "y = tf.expand_dims(x, [])",
        "y = tf.signal.fft(x, ())",
        "for z in tf.data.Dataset.range(10).batch(0):\n        print(z)",
        "for z in tf.data.Dataset.range(10).batch(-2).repeat(2**62).repeat(2**62):\n        print(z)",
        "for i in range(10**400):\n        model(x)",
        "for i in range(" + "9" * 5000 + "):\n        model(x)",
        "y = tf.zeros([10**30, 10**400])\n    return y @ y",
        "[[], []] = tf.ones([2, 0]) * x",
    ],
)
def test_what_is_computed_of_odd_constants_fails_no_rule(
    oddities: Oddities, statement: str
) -> None:
    layer = "tf.keras.layers.Dense(3)"
    assert oddities.failure(LOOP.format(layer=layer, statement=statement)) is None


@pytest.mark.parametrize(
    "layer",
    [
        "tf.keras.layers.Conv2D(4, 3, strides=0)",
        "tf.keras.layers.Conv2D(-4, (), strides=(0, 0))",
        "tf.keras.layers.MaxPooling2D(0)",
        "tf.keras.layers.MaxPooling2D(pool_size=())",
        "tf.keras.layers.Reshape((-1, 0))",
        "tf.keras.layers.Dense(10**400)",
        "tf.keras.layers.LSTM(-1)",
        "tf.keras.layers.Dense([])",
    ],
)
def test_what_is_counted_of_odd_layers_fails_no_rule(oddities: Oddities, layer: str) -> None:
    assert oddities.failure(TRAINING.format(layer=layer)) is None


def test_a_draw_of_odd_programs_fails_no_rule(oddities: Oddities) -> None:
    drawn = [oddities.program() for _ in range(60)]
    assert len({*drawn}) > 50
    assert [failure for text in drawn if (failure := oddities.failure(text))] == []


def test_what_fails_is_told_with_its_place(
    oddities: Oddities, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("no such number")

    monkeypatch.setattr(oddities._linter, "lint", fail)
    failure = oddities.failure("import tensorflow as tf\n")
    assert isinstance(failure, Odd)
    assert "ZeroDivisionError: no such number" in failure.said
    assert "in fail" in failure.place
