from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.tracing.python_side_effect.side_effects import side_effects
from tests.semantics.conftest import expression, unit_named
from tfxla_lint.semantics.effects.eager_only import eager_only_calls
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import is_symbolic, traced_units

Build = Callable[[str], SemanticModel]
HEAD = "import tensorflow as tf\nC = tf.constant(1.0)\nV = tf.Variable(1.0)\n"
CALL = "\nf(tf.ones([2]))\n"


def traced(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{HEAD}@tf.function\ndef f(x):\n{lines}{CALL}"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("return x", "x"),
        ("y = x + 1.0\nreturn y", "y"),
        ("return tf.square(C)", "tf.square(C)"),
        ("return C + 1.0", "C + 1.0"),
        ("return V", "V"),
        ("return x[0]", "x[0]"),
        ("a, b = tf.split(x, 2)\nreturn b", "b"),
        ("for e in x:\n    tf.print(e)", "e"),
        ("def g():\n    return x\nreturn g()", "x"),
    ],
)
def test_is_symbolic(build: Build, body: str, text: str) -> None:
    model = build(traced(body))
    assert is_symbolic(model, expression(model, text))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("return C", "C"),
        ("c = C\nreturn c", "c"),
        ("with tf.init_scope():\n    y = tf.square(C)\nreturn y", "y"),
        ("y = tf.ones([2]) if flag else C\nreturn y", "y"),
        ("n = x.shape\nreturn n", "n"),
        ("return unknown(x)", "unknown(x)"),
    ],
)
def test_is_not_surely_symbolic(build: Build, body: str, text: str) -> None:
    model = build(traced(body))
    model.contexts.traced(unit_named(model, "f"))
    assert not is_symbolic(model, expression(model, text))


def test_traced_units_are_those_that_are_proved_to_be(build: Build) -> None:
    model = build(
        HEAD
        + "def g(x):\n    return x\n"
        + "def h(x):\n    return x\n"
        + "@tf.function\ndef f(x):\n    return g(x)\n"
        + CALL
    )
    assert {unit.name for unit in traced_units(model)} == {"f", "g"}


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("return tf.square(x).numpy()", "`.numpy()`"),
        ("return V.numpy()", "`.numpy()`"),
        ("return (x + 1.0).tolist()", "`.tolist()`"),
        ("if x[0] > 0.0:\n    x.numpy()", "`.numpy()`"),
        ("tf.config.run_functions_eagerly(False)", "`tf.config.run_functions_eagerly`"),
    ],
)
def test_eager_only_call(build: Build, body: str, name: str) -> None:
    model = build(traced(body))
    model.contexts.traced(unit_named(model, "f"))
    assert [c.name for c in eager_only_calls(model, unit_named(model, "f"))] == [name]


@pytest.mark.parametrize(
    "body",
    [
        "return C.numpy()",
        "return tf.config.list_physical_devices()",
        "if tf.executing_eagerly():\n    x.numpy()",
        "if issubclass(kind, list):\n    x.numpy()",
        "return x.numpy() if hasattr(x, 'numpy') else x",
        "if debug:\n    x.numpy()",
        "try:\n    x.numpy()\nexcept NotImplementedError:\n    pass",
        "def inner(y):\n    return y.numpy()\nreturn tf.py_function(inner, [x], tf.float32)",
    ],
)
def test_no_eager_only_call(build: Build, body: str) -> None:
    model = build(traced(body))
    units = traced_units(model)
    assert [c for unit in units for c in eager_only_calls(model, unit)] == []


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("print(x)", "print"),
        ("print('x', x)", "print"),
        ("print(f'{x}')", "print"),
        ("print('x is ' + str(x))", "print"),
        ("print('x is %s' % x)", "print"),
        ("print('x is {}'.format(x))", "print"),
        ("import logging\nlogging.info('x %s', x)", "log"),
        ("kept.append(x)", "mutate"),
        ("table['x'] = x", "mutate"),
        ("global count\ncount += 1", "count"),
        ("global last\nlast = x", "rebind"),
        ("import matplotlib.pyplot as plt\nplt.plot([1])", "output"),
    ],
)
def test_side_effect(build: Build, body: str, kind: str) -> None:
    read = "\nif count > 3:\n    kept.clear()\n"
    model = build("kept = []\ntable = {}\ncount = 0\nlast = None\n" + traced(body) + read)
    model.contexts.traced(unit_named(model, "f"))
    found = [e.kind.name.lower() for e in side_effects(model, unit_named(model, "f"))]
    assert found == [kind]


@pytest.mark.parametrize(
    "body",
    [
        "print('tracing')",
        "print(x.shape)",
        "print(f'{x:.3f}')",
        "if debug:\n    print(x)",
        "local = []\nlocal.append(x)",
        "kept.append('a call')",
        "if 'x' not in table:\n    table['x'] = x",
        "global trace_count\ntrace_count += 1",
        "count = 1",
    ],
)
def test_no_side_effect(build: Build, body: str) -> None:
    model = build("kept = []\ntable = {}\ntrace_count = 0\n" + traced(body))
    model.contexts.traced(unit_named(model, "f"))
    assert list(side_effects(model, unit_named(model, "f"))) == []
