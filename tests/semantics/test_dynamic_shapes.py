"""Tensors whose leading dimension depends on data."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.xla.dynamic_shapes import dynamic_size, dynamic_source, is_flat

Build = Callable[[str], SemanticModel]

CODE = """
import numpy as np
import tensorflow as tf

MASK = np.array([True, False])

@tf.function(jit_compile=True)
def f(x: tf.Tensor, y: tf.Tensor):
    v = tf.boolean_mask(x, x > 0)
    kinds, index = tf.unique(x)
    n = tf.size(v)
    use({})
"""


def given(model: SemanticModel) -> cst.BaseExpression:
    call = next(c for c in model.nodes(cst.Call) if model.code(c.func) == "use")
    return call.args[0].value


@pytest.mark.parametrize(
    "expression",
    ["v", "v * 2.0", "-v", "v + v", "tf.sqrt(v)", "v[1:]", "v[:-1]", "v[:, 0]", "v[..., 0]",
     "x[x > 1]", "x[(x > 1) & (x < 3)]", "x[tf.math.is_finite(x)]", "tf.where(x > 0)",
     "tf.gather(y, tf.where(x > 0)[:, 0])", "kinds", "tf.unique(x)[0]", "tf.unique(x).y",
     "tf.range(n)", "tf.reshape(v, [-1, 1])", "tf.squeeze(tf.where(x > 0), -1)",
     "tf.dynamic_partition(x, tf.cast(x > 0, tf.int32), 2)[1]"],
)  # fmt: skip
def test_dynamic(build: Build, expression: str) -> None:
    model = build(CODE.format(expression))
    assert dynamic_source(model, given(model)) is not None


@pytest.mark.parametrize(
    "expression",
    ["x", "v[0]", "v[:3]", "index", "tf.where(x > 0, x, y)", "tf.reduce_sum(v)", "v * y",
     "tf.boolean_mask(x, MASK)", "tf.boolean_mask(x, tf.range(3) < 2)", "x[0]", "v[None]",
     "tf.boolean_mask(x, y > 0, axis=1)", "tf.gather(v, [0, 1])", "tf.where(MASK)",
     "tf.concat([v, y], 0)", "unknown(v)"],
)  # fmt: skip
def test_not_dynamic_as_far_as_known(build: Build, expression: str) -> None:
    model = build(CODE.format(expression))
    assert dynamic_source(model, given(model)) is None


@pytest.mark.parametrize(
    ("expression", "expected"),
    [("n", True), ("tf.size(v)", True), ("tf.shape(v)[0]", True), ("tf.shape(v)[1]", False),
     ("tf.size(x)", False), ("tf.shape(x)[0]", False), ("3", False)],
)  # fmt: skip
def test_sizes(build: Build, expression: str, expected: bool) -> None:
    model = build(CODE.format(expression))
    assert (dynamic_size(model, given(model)) is not None) is expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [("v", True), ("x[x > 1]", True), ("kinds", True), ("tf.boolean_mask(x, y > 0)", False)],
)
def test_flat(build: Build, expression: str, expected: bool) -> None:
    model = build(CODE.format(expression))
    source = dynamic_source(model, given(model))
    assert source is not None
    assert is_flat(model, source) is expected
