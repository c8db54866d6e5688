"""What a function can declare of its arguments."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.retracing.declarable import signature_of_unit
from tfxla_lint.semantics.retracing.seen_signatures import Spec

from .conftest import unit_named

Build = Callable[[str], SemanticModel]

CODE = """
import numpy as np
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices((tf.ones([{count}, 3]), tf.ones([{count}]))).batch(10)
array = np.ones([3])

class Base:
    {inherited}

class Model(Base):
    def step(self, {parameters}):
        {before}
        return tf.reduce_sum(x * x) + tf.reduce_sum(y)

model = Model()
for x, y in data:
    model.step({arguments})
{more}
"""


def signature(build: Build, **changed: str) -> list[Spec] | None:
    parts = {
        "count": "25",
        "inherited": "pass",
        "parameters": "x, y",
        "before": "pass",
        "arguments": "x, y",
        "more": "",
    }
    model = build(CODE.format(**{**parts, **changed}))
    return signature_of_unit(model, unit_named(model, "Model.step"))


def test_the_last_batch_is_smaller(build: Build) -> None:
    assert signature(build) == [((None, 3), "float32"), ((None,), "float32")]
    assert signature(build, arguments="x, y=y") is not None


def test_calls_bring_several_shapes(build: Build) -> None:
    more = "model.step(tf.ones([4, 3]), tf.ones([4]))"
    assert signature(build, count="30", more=more) == [((None, 3), "float32"), ((None,), "float32")]


def test_a_model_that_knows_its_input_is_declared(build: Build) -> None:
    made = "pass\n\nnet = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(3)])"
    assert signature(build, inherited=made, before="x = net(x)") is not None


@pytest.mark.parametrize(
    "changed",
    [
        {"inherited": "pass\n\nnet = tf.keras.layers.Dense(3)", "before": "x = net(x)"},
        {
            "inherited": "pass\n\nnet = tf.keras.Sequential([tf.keras.layers.Dense(3)])",
            "before": "x = net(x)",
        },
        {"count": "30"},
        {"before": "n = x.shape[0]"},
        {"arguments": "x, array"},
        {"arguments": "x, 2.0"},
        {"parameters": "x, y=0.0"},
        {"parameters": "x, *, y", "arguments": "x, y=y"},
        {"parameters": "x, *y"},
        {"inherited": "def step(self, x, y): raise NotImplementedError"},
        {"more": "class Other(Model):\n    def step(self, x, y): return x"},
        {"more": "model.step(array, array)"},
        {"more": "model.step(None, tf.ones([3]))"},
        {"more": "tf.map_fn(model.step, data)"},
    ],
)
def test_what_a_signature_could_refuse_or_cast_is_not_declared(
    build: Build, changed: dict[str, str]
) -> None:
    assert signature(build, **changed) is None
