"""Whether code asks Python for sizes that a trace with relaxed shapes does not know."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.semantics.conftest import unit_named
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.verdict import Safety

Build = Callable[[str], SemanticModel]
HEAD = "import tensorflow as tf\ndef rows(x):\n    return x.shape[0]\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x.shape[0]", True),
        ("return x.get_shape()", True),
        ("return len(x)", True),
        ("return tf.unstack(x)", True),
        ("return rows(x)", True),
        ("return tf.shape(x)[0]", False),
        ("parts = [x, x]\n    return len(parts)", False),
        ("return x", False),
    ],
)
def test_static_shapes(build: Build, body: str, expected: bool) -> None:
    model = build(f"{HEAD}def f(x):\n    {body}\nf(tf.ones([2]))\n")
    assert model.ask(Safety).reads_static_shape(unit_named(model, "f").body) is expected
