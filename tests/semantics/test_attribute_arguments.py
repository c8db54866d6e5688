"""Which attributes a step can be passed."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.retracing.attribute_arguments import AttributeArguments
from tfxla_lint.semantics.safety.verdict import Safety

from .conftest import unit_named

Build = Callable[[str], SemanticModel]

CODE = """
import tensorflow as tf

class Fitter{base}:
    def __init__(self):
        self.weights = tf.Variable([[1.0]])
        self.optimizer = tf.keras.optimizers.SGD()

    def {method}(self, y):
        return tf.reduce_mean(tf.square(self.batch @ self.weights - y))

    def fit(self, data):
        for x, y in data:
            self.batch = {value}
            with tf.GradientTape() as tape:
                loss = self.{method}(y)
            gradients = tape.gradient(loss, [self.weights])
            self.optimizer.apply_gradients(zip(gradients, [self.weights]))

{more}
Fitter().fit(tf.data.Dataset.from_tensors((tf.ones([4, 1]), tf.ones([4, 1]))).repeat(9))
"""


def lifted(model: SemanticModel) -> bool:
    """Whether what keeps the loop from being traced can be passed."""
    unit = unit_named(model, "Fitter.fit")
    loop = next(node for node in unit.nodes() if isinstance(node, cst.For))
    statements = loop.body.body[1:]
    blockers = model.ask(Safety).region_blockers(unit, statements, {"x", "y"})
    assert blockers
    arguments = AttributeArguments(model, unit)
    return all(arguments.lifts(blocker) for blocker in blockers)


def code(base: str = "", method: str = "loss_of", value: str = "x * 2.0", more: str = "") -> str:
    return CODE.format(base=base, method=method, value=value, more=more)


def test_a_tensor_is_passed(build: Build) -> None:
    assert lifted(build(code()))
    assert lifted(build(code(base="(tf.Module)")))


@pytest.mark.parametrize(
    "changed",
    [
        {"value": "x if tf.executing_eagerly() else None"},
        {"value": "[x]"},
        {"base": "(tf.keras.Model)", "method": "compute_loss"},
        {"more": "class Other(Fitter):\n    def loss_of(self, y):\n        return y\n"},
        {"more": "Fitter().loss_of(tf.ones([4, 1]))"},
        {"more": "run = Fitter().loss_of"},
        {"base": "(Base)"},
    ],
)
def test_what_other_code_may_use_is_left_alone(build: Build, changed: dict[str, str]) -> None:
    assert not lifted(build(code(**changed)))
