"""Which argument or variable of compiled code a value comes from."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from tfxla_lint.semantics.compiled import compiled_units
from tfxla_lint.semantics.data_sources import compiled_source, surely_tensor
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]

HEAD = """
import tensorflow as tf
v = tf.Variable(1)
fixed = tf.constant(2)
"""


def source_of(model: SemanticModel) -> tuple[str, bool] | None:
    """What the argument of `use(...)` comes from, and whether it is used for itself."""
    call = next(c for c in model.nodes(cst.Call) if model.code(c.func) == "use")
    found = compiled_source(model, call.args[0].value)
    return (model.code(found.node), found.is_direct) if found else None


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("x", ("x", True)),
        ("x + 1", ("x", True)),
        ("tf.cast(x, tf.int32)", ("x", True)),
        ("tf.reduce_max(x)", ("x", False)),
        ("x[0]", ("x", False)),
        ("x > 0", ("x", False)),
        ("x is None", None),
        ("[1, x]", ("x", True)),
        ("tf.shape(x)[0]", None),
        ("x.shape[0]", None),
        ("tf.size(x)", None),
        ("tf.range(3)", None),
        ("v", ("v", True)),
        ("v.read_value()", ("v", True)),
        ("fixed", ("fixed", True)),
        ("tf.random.uniform([], maxval=x)", None),
        ("unknown(x)", None),
        ("3", None),
    ],
)
def test_expressions(build: Build, expression: str, expected: tuple[str, bool] | None) -> None:
    model = build(
        f"{HEAD}\n@tf.function(jit_compile=True)\ndef f(x: tf.Tensor):\n    use({expression})\n"
    )
    assert source_of(model) == expected


def test_helpers_are_followed_to_the_compiled_function(build: Build) -> None:
    model = build(
        f"""{HEAD}
def helper(n):
    use(n)

@tf.function(jit_compile=True)
def f(x: tf.Tensor):
    helper(tf.argmax(x))
"""
    )
    assert len(compiled_units(model)) == 2
    assert source_of(model) == ("x", False)


def test_uncompiled_arguments_are_no_sources(build: Build) -> None:
    assert source_of(build(f"{HEAD}\n@tf.function\ndef f(x: tf.Tensor):\n    use(x)\n")) is None


@pytest.mark.parametrize(
    ("decorator", "parameter", "expected"),
    [
        ("tf.function(jit_compile=True)", "x", False),
        ("tf.function(jit_compile=True)", "x: tf.Tensor", True),
        ("tf.function(jit_compile=True, input_signature=[tf.TensorSpec([])])", "x", True),
        ("tf.function(jit_compile=True, input_signature=[])", "x", False),
    ],
)
def test_what_makes_an_argument_surely_a_tensor(
    build: Build, decorator: str, parameter: str, expected: bool
) -> None:
    model = build(f"{HEAD}\n@{decorator}\ndef f({parameter}):\n    use(x)\n")
    call = next(c for c in model.nodes(cst.Call) if model.code(c.func) == "use")
    found = compiled_source(model, call.args[0].value)
    assert found is not None
    assert surely_tensor(model, found) is expected
