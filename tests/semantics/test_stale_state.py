from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.tracing.stale_python_state.detect import stale_reads
from tests.semantics.conftest import unit_named
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]
HEAD = "import tensorflow as tf\nT = tf.ones([2])\nrate = 0.1\ntable = [1.0]\n"
STEP = "@tf.function\ndef f(x):\n    return x * rate * table[0]\n"


def stale(model: SemanticModel) -> list[str]:
    unit = unit_named(model, "f")
    route = model.contexts.traced(unit)
    assert route is not None
    return [read.text for read in stale_reads(model, unit, route)]


@pytest.mark.parametrize(
    ("after", "names"),
    [
        ("for i in range(9):\n    f(T)\n    rate *= 0.5\n", ["rate"]),
        ("for i in range(9):\n    f(T)\n    table[0] = 2.0\n", ["table"]),
        ("def g():\n    global rate\n    rate = rate / 2\n"
         "for i in range(9):\n    f(T)\n    g()\n", ["rate"]),
        ("def g():\n    f(T)\nfor i in range(9):\n    g()\n    rate -= 0.01\n", ["rate"]),
        ("for rate in (0.1, 0.2):\n    f(T)\n", ["rate"]),
        ("f(T)\nrate = 0.3\nf(T)\n", ["rate"]),
        ("rate = 0.3\nf(T)\nf(T)\n", []),
        ("f(T)\nrate = 0.3\n", []),
        ("f(T)\nrate = 0.3\nf(T + 1.0)\n", ["rate"]),
        ("f(T)\nrate = 0.3\nf(tf.ones([3]))\n", []),
        ("for i in range(9):\n    f(T)\nfor i in range(9):\n    rate *= 0.5\n", []),
        ("for i in range(9):\n    f(T)\n    rate = 0.1\n", []),
        ("for i in range(9):\n    f(T)\n    other = rate * 2\n", []),
    ],
)  # fmt: skip
def test_names(build: Build, after: str, names: list[str]) -> None:
    assert stale(build(HEAD + STEP + after)) == names


def test_functions_made_on_each_turn_are_fresh(build: Build) -> None:
    inner = "".join(f"    {line}\n" for line in STEP.splitlines())
    assert stale(build(f"{HEAD}for i in range(9):\n{inner}    f(T)\n    rate *= 0.5\n")) == []
