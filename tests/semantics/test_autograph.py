from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from rules.tracing.inconsistent_branches.branches import disagreements
from rules.tracing.inconsistent_branches.carried import changes
from rules.tracing.inconsistent_branches.dtypes import SOME_FLOAT, differ
from rules.tracing.list_of_tensors_in_loop.detect import filled_lists
from rules.tracing.shared.branch_tests import LoopForm, loop_form
from rules.tracing.shared.conversion import unconverted
from rules.tracing.shared.loop_bodies import can_turn_in_graph
from rules.tracing.unconverted_control_flow.control import unconverted_control
from rules.tracing.unrolled_loop.detect import unrolled_loops
from tests.semantics.conftest import unit_named
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]
HEAD = "import functools\nimport tensorflow as tf\n"
CALL = "\nf(tf.ones([2]), tf.constant(3), 4)\n"


def traced(body: str, decorator: str = "@tf.function", before: str = "") -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{HEAD}{before}{decorator}\ndef f(x, n, k):\n{lines}{CALL}"


@pytest.mark.parametrize(
    ("head", "form"),
    [
        ("for v in x:", LoopForm.GRAPH),
        ("for v in tf.range(3):", LoopForm.GRAPH),
        ("for v in range(n):", LoopForm.GRAPH),
        ("for v in tf.data.Dataset.range(3):", LoopForm.GRAPH),
        ("for v in enumerate(tf.data.Dataset.range(3)):", LoopForm.GRAPH),
        ("while n > 0:", LoopForm.GRAPH),
        ("while not tf.reduce_any(x > 1.0):", LoopForm.GRAPH),
        ("for v in range(k):", LoopForm.PYTHON),
        ("for v in range(x.shape[0]):", LoopForm.PYTHON),
        ("for v in [1, 2]:", LoopForm.PYTHON),
        ("for v in tf.split(x, 2):", LoopForm.PYTHON),
        ("for v in enumerate((1, 2)):", LoopForm.PYTHON),
        ("while True:", LoopForm.PYTHON),
        ("while k > 0:", LoopForm.PYTHON),
        ("for v in unknown:", None),
        ("for v in tf.keras.Sequential([])(x):", None),
        ("for v in range(unknown):", None),
        ("while unknown(x):", None),
    ],
)
def test_where_a_loop_turns(build: Build, head: str, form: LoopForm | None) -> None:
    model = build(traced(f"{head}\n    x = x + 1.0\nreturn x"))
    loops: list[cst.For | cst.While] = [*model.nodes(cst.For), *model.nodes(cst.While)]
    assert loop_form(model, loops[0]) is form


@pytest.mark.parametrize(
    ("code", "is_converted"),
    [
        (traced("return x"), True),
        (traced("return x", "@tf.function(autograph=False)"), False),
        (traced("for i in range(3):\n    pass\nelse:\n    pass\nreturn x"), False),
        (traced("if (m := k) > 2:\n    pass\nreturn x"), False),
        (HEAD + "def f(x):\n    return x\ntf.vectorized_map(f, tf.ones([2, 2]))\n", False),
        (HEAD + "def f(x):\n    return x\ntf.data.Dataset.range(3).map(f)\n", True),
    ],
)
def test_what_autograph_converts(build: Build, code: str, is_converted: bool) -> None:
    model = build(code)
    assert (unconverted(model, unit_named(model, "f")) is None) is is_converted


def test_keras_3_does_not_convert_layers(build: Build) -> None:
    code = (
        HEAD + "class L(tf.keras.layers.Layer):\n    def call(self, x):\n        return x\n"
        "layer = L()\n@tf.function\ndef f(x):\n    return layer(x)\nf(tf.ones([2]))\n"
    )
    model = build(code)
    assert unconverted(model, unit_named(model, "L.call")) is not None
    model = build(code)
    model.world.tf_version = (2, 15)
    assert unconverted(model, unit_named(model, "L.call")) is None


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("a, b = x\nreturn a", ["iterating"]),
        ("return [v for v in range(n)]", ["iterating"]),
        ("return tf.add(*x)", ["iterating"]),
        ("return functools.reduce(tf.add, x)", ["iterating"]),
        ("return [v for v in [1, 2] if x[0] > 0.0]", ["iterating"]),
        ("if n > 5:\n    raise ValueError\nreturn x", ["raise"]),
        ("if n:\n    x = x + 1.0\nreturn x", ["number"]),
        ("return n or 3", ["number"]),
        ("for i in range(3):\n    if x[0] > 1.0:\n        break\nreturn x", ["jump"]),
        ("for v in x:\n    if v > 1.0:\n        return v\nreturn x[0]", ["jump"]),
        ("go = True\nwhile go:\n    go = x[0] > 0.0\nreturn x", ["condition"]),
        ("try:\n    y = tf.linalg.inv(x)\nexcept tf.errors.OpError:\n    y = x\nreturn y",
         ["handler"]),
        ("a, b = x.shape[0], k\nreturn a", []),
        ("return [v for v in tf.unstack(x)]", []),
        ("if k > 5:\n    raise ValueError\nreturn x", []),
        ("if n is None:\n    raise ValueError\nreturn x", []),
        ("for v in x:\n    if v > 1.0:\n        break\nreturn x", []),
        ("for i in range(3):\n    if k > 1:\n        break\nreturn x", []),
        ("try:\n    y = [v for v in x]\nexcept TypeError:\n    y = x\nreturn y", []),
        ("go = tf.constant(True)\nwhile go:\n    go = x[0] > 0.0\nreturn x", []),
    ],
)  # fmt: skip
def test_unconverted_control(build: Build, body: str, kinds: list[str]) -> None:
    model = build(traced(body))
    found = unconverted_control(model, unit_named(model, "f"))
    assert [control.kind for control in found] == kinds


def test_what_recurs_on_a_tensor_never_ends(build: Build) -> None:
    before = "def g(n):\n    return n if n < 1 else g(n - 1)\n"
    model = build(traced("return g(n)", before=before))
    found = unconverted_control(model, unit_named(model, "g"))
    assert [control.kind for control in found] == ["recursion"]


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("if n > 1:\n    y = x\nreturn y", 1),
        ("if n > 1:\n    return x", 1),
        ("y = None\nif n > 1:\n    y = x\nreturn y", 1),
        ("y = 0\nif n > 1:\n    y = tf.constant(0.5)\nreturn y", 1),
        ("return n if n > 1 else 0.5", 1),
        ("if n > 1:\n    return x, n\nreturn (x,)", 1),
        ("if n > 1:\n    y = x\nelse:\n    z = n\nreturn x", 0),
        ("if n > 1:\n    return x\nreturn -x", 0),
        ("y = 0\nif n > 1:\n    y = n\nreturn y", 0),
        ("y = tf.zeros([2])\nif n > 1:\n    y = tf.zeros([3])\nreturn y", 0),
        ("if k > 1:\n    return x", 0),
        (
            "for i in range(3):\n    if n > 1:\n        y = x\n    else:\n        y = -x\nreturn y",
            0,
        ),
    ],
)
def test_branches_that_disagree(build: Build, body: str, count: int) -> None:
    model = build(traced(body))
    assert len(list(disagreements(model, unit_named(model, "f")))) == count


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("y = 0\nfor v in x:\n    y += v\nreturn y", 1),
        ("y = tf.zeros([1])\nfor v in x:\n    y = tf.concat([y, [v]], 0)\nreturn y", 1),
        ("for v in tf.data.Dataset.range(3):\n    y = v * 2\nreturn y", 1),
        ("y = 0.0\nfor v in x:\n    y += v\nreturn y", 0),
        ("y = 0\nfor i in range(3):\n    y += x[0]\nreturn y", 0),
        ("for v in tf.range(3):\n    y = v * 2\nreturn y", 0),
        ("y = tf.zeros([1])\nfor i in range(3):\n    y = tf.concat([y, x], 0)\nreturn y", 0),
    ],
)
def test_what_loops_change(build: Build, body: str, count: int) -> None:
    model = build(traced(body))
    assert len(list(changes(model, unit_named(model, "f")))) == count


@pytest.mark.parametrize(
    ("body", "is_possible"),
    [
        ("x = x * 2.0 + 1.0", True),
        ("x = tf.tanh(-x)", True),
        ("y = x * 0.5\nx = x + y", True),
        ("x = g(x)", True),
        ("x = x + x[i]", True),
        ("x = x * i", False),
        ("x = x + [1.0, 2.0][i]", False),
        ("x = tf.concat([x, x], 0)", False),
        ("x = x + tf.random.normal([2])", False),
        ("print(i)\nx = x + 1.0", False),
        ("k = k + 1\nx = x + 1.0", False),
        ("if k > 2:\n    break\nx = x + 1.0", False),
        ("x = x + unknown(x)", False),
    ],
)
def test_what_can_turn_in_the_graph(build: Build, body: str, is_possible: bool) -> None:
    inner = "".join(f"    {line}\n" for line in body.splitlines())
    before = "def g(v):\n    return tf.sin(v) * 0.5\n"
    model = build(traced(f"for i in range(9):\n{inner}return x", before=before))
    loop = model.nodes(cst.For)[0]
    assert can_turn_in_graph(model, unit_named(model, "f"), loop) is is_possible


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("p = []\nfor v in x:\n    p.append(v)\nreturn tf.stack(p)", 1),
        ("p = []\nfor v in x:\n    p += [v]\nreturn p", 1),
        ("p = []\nif n > 1:\n    p.append(x)\nreturn p", 1),
        ("p = []\nfor i in range(3):\n    p.append(x)\nreturn p", 0),
        ("for v in x:\n    p = []\n    p.append(v)\n    y = tf.add_n(p)\nreturn x", 0),
        ("p = []\nfor v in x:\n    p.append(v)\nreturn x", 0),
        ("p = []\nif k > 1:\n    p.append(x)\nreturn p", 0),
    ],
)
def test_lists_that_grow_once(build: Build, body: str, count: int) -> None:
    model = build(traced(body))
    assert len(list(filled_lists(model, unit_named(model, "f")))) == count


def test_turns_of_nested_loops_multiply(build: Build) -> None:
    body = "for i in range(50):\n    for j in range(40):\n        x = x + 1.0\nreturn x"
    model = build(traced(body))
    found = list(unrolled_loops(model, unit_named(model, "f")))
    assert [(loop.turns, loop.calls) for loop in found] == [(50, 2000)]


@pytest.mark.parametrize(
    ("first", "second", "is_sure"),
    [
        ("int32", "float32", True),
        ("float32", "float64", True),
        ("float32", "float32", False),
        (None, "float32", False),
        (SOME_FLOAT, "int32", True),
        (SOME_FLOAT, "float64", False),
    ],
)
def test_dtypes_differ(first: str | None, second: str | None, is_sure: bool) -> None:
    assert differ(first, second) is is_sure
    assert differ(second, first) is is_sure
