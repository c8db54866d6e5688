"""What repeats compilations, bounds loops, proves indices and reads settings."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from rules.xla.shared.tensor_loops import unbounded_loops
from rules.xla.shared.xla_switches import late_settings
from rules.xla.xla_recompile.index_bounds import is_within
from rules.xla.xla_recompile.varying_calls import varying_calls
from rules.xla.xla_unbounded_loop_gradient.slices import backward_slice
from tfxla_lint.semantics.model import SemanticModel

from .conftest import unit_named

Build = Callable[[str], SemanticModel]


@pytest.mark.parametrize(
    ("argument", "reason"),
    [
        ("data[:i]", "takes a slice of another length on every turn"),
        ("data[:, i:]", "takes a slice of another length on every turn"),
        ("data[i : i + 2]", None),
        ("data[i]", None),
        ("tf.zeros([i, 2])", "makes an array of another size on every turn"),
        ("tf.zeros([2, 2])", None),
        ("np.array(history)", "grows on every turn"),
        ("np.array(window)", None),
        ("grown", "grows on every turn"),
        ("tf.ones([2])", None),
    ],
)
def test_varying_shapes(build: Build, argument: str, reason: str | None) -> None:
    model = build(
        f"""
        import numpy as np
        import tensorflow as tf

        @tf.function(jit_compile=True)
        def f(x):
            return tf.reduce_sum(x)

        data = tf.ones([9, 9])
        history, window = [], []
        grown = tf.ones([1])
        for i in range(9):
            history.append(i)
            window.append(i)
            if i > 3:
                window.pop(0)
            f({argument})
            grown = tf.concat([grown, [1.0]], axis=0)
        """
    )
    found = list(varying_calls(model))
    assert [call.shape.reason for call in found] == ([reason] if reason else [])


@pytest.mark.parametrize(
    ("condition", "step", "limit"),
    [
        ("i < 9 and x < 5.0", "i += 1", "9"),
        ("i < 9 and x < 5.0", "i = i + 1", "9"),
        ("i < LIMIT and x < 5.0", "i += 1", "LIMIT"),
        ("i < 9 and x < 5.0", "i += 2", None),
        ("i <= 9 and x < 5.0", "i += 1", None),
        ("x < 5.0", "i += 1", None),
    ],
)
def test_limits_of_loops(build: Build, condition: str, step: str, limit: str | None) -> None:
    model = build(
        f"""
        import tensorflow as tf
        LIMIT = 4

        def f(x: tf.Tensor):
            i = 0
            while {condition}:
                x = x * x
                {step}
            return x
        """
    )
    (loop,) = unbounded_loops(model, unit_named(model, "f"))
    assert loop.carried == {"x"}
    shown = model.code(loop.limit) if loop.limit is not None else None
    assert shown == limit


@pytest.mark.parametrize("body", ["x = x + 1.0", "x = tf.reshape(x, [-1])", "i = i * 2"])
def test_loops_whose_gradient_keeps_nothing(build: Build, body: str) -> None:
    model = build(
        f"""
        import tensorflow as tf

        def f(x: tf.Tensor):
            i = tf.constant(1)
            while tf.reduce_sum(x) < 5.0:
                {body}
            return x
        """
    )
    assert list(unbounded_loops(model, unit_named(model, "f"))) == []


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("for i in range(4):\n    f(data, tf.constant(i))", True),
        ("for i in range(5):\n    f(data, tf.constant(i))", False),
        ("for i in range(-1, 4):\n    f(data, tf.constant(i))", False),
        ("f(data, tf.constant(2))", False),
        ("", False),
    ],
)
def test_proofs_of_counted_indices(build: Build, calls: str, expected: bool) -> None:
    code = (
        "import tensorflow as tf\n\n\ndef f(x, n):\n    return x[n]\n\n\ndata = tf.ones([4, 2])\n"
    )
    model = build(code + calls + "\n")
    (indexed,) = (s for s in model.nodes(cst.Subscript) if model.unit(s).name == "f")
    index = cst.ensure_type(indexed.slice[0].slice, cst.Index).value
    assert is_within(model, indexed.value, index) is expected


def test_slices_follow_names_backwards(build: Build) -> None:
    model = build(
        """
        def f(a, b):
            c = g(a)
            d, e = c, b
            d += self.w
            return d
        """
    )
    unit = unit_named(model, "f")
    (returned,) = (n for n in unit.nodes() if isinstance(n, cst.Return))
    assert returned.value is not None
    found = backward_slice(model, [returned.value], unit.scope)
    assert {"a", "c", "d", "self.w"} <= found.names
    assert len(found.calls) == 1


@pytest.mark.parametrize(
    ("before", "variable", "late"),
    [
        ("", "TF_XLA_FLAGS", False),
        ("tf.random.set_seed(1)", "TF_XLA_FLAGS", False),
        ("x = tf.constant(1)", "TF_XLA_FLAGS", True),
        ("tf.config.list_physical_devices()", "TF_XLA_FLAGS", True),
        ("def g():\n    return tf.constant(1)", "TF_XLA_FLAGS", False),
        ("x = tf.constant(1)", "XLA_FLAGS", False),
        ("f(1.0)", "XLA_FLAGS", True),
    ],
)
def test_late_settings(build: Build, before: str, variable: str, late: bool) -> None:
    code = (
        "import os\nimport tensorflow as tf\n\n"
        "@tf.function(jit_compile=True)\ndef f(x):\n    return x\n\n"
        f'{before}\nos.environ["{variable}"] = "--flag"\n'
    )
    assert bool(list(late_settings(build(code)))) is late
