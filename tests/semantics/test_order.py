"""Functions that nothing in the module runs: their callers are evaluated before them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind

from .conftest import unit_named

Build = Callable[[str], SemanticModel]

HELPERS_FIRST = """
    import numpy as np
    import tensorflow as tf

    class Actor:
        def log_pdf(self, mean, action):
            return tf.reduce_sum((action - mean) ** 2)

        def loss(self, mean, action):
            return self.log_pdf(mean, action)

        def train(self, states, actions):
            mean = tf.reduce_mean(states, axis=1)
            return self.loss(mean, actions)

    class Worker:
        def __init__(self):
            self.actor = Actor()

        def train(self):
            return self.actor.train(np.ones([4, 2]), np.ones([4]))

        def run(self):
            self.train()
"""
CIRCLE = """
    import tensorflow as tf

    def even(x, n):
        return x if n == 0 else odd(x, n - 1)

    def odd(x, n):
        return x if n == 0 else even(x, n - 1)

    def start():
        return even(tf.ones([2]), 4)
"""


@pytest.mark.parametrize("name", ["log_pdf", "loss"])
def test_arguments_reach_helpers_through_callers_that_stand_below(build: Build, name: str) -> None:
    unit = unit_named(build(HELPERS_FIRST), f"Actor.{name}")
    kinds = {parameter.name: parameter.value.kind for parameter in unit.parameters[1:]}
    assert kinds == {"mean": Kind.TENSOR, "action": Kind.NDARRAY}


@pytest.mark.parametrize("name", ["even", "odd"])
def test_a_circle_is_entered_from_outside(build: Build, name: str) -> None:
    unit = unit_named(build(CIRCLE), name)
    assert unit.parameters[0].value.kind is Kind.TENSOR
