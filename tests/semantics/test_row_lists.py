"""Lists that a loop fills and that one line stacks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.eager.python_loop_over_tensor.row_lists import filled_list
from rules.eager.python_loop_over_tensor.tensor_rows import tensor_rows
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]

CODE = """
import tensorflow as tf

points = tf.ones([500, 3])

def norms():
    found = []
    {above}
    for point in points:
        shift = point - 1.0
        {more}
        found.append(tf.norm(shift))
    {below}
    return {result}

norms()
"""


def is_filled(build: Build, **changed: str) -> bool:
    parts = {"above": "pass", "more": "pass", "below": "pass", "result": "tf.stack(found)"}
    code = CODE.format(**{**parts, **changed})
    model = build("\n".join(line for line in code.splitlines() if line.strip() != "pass"))
    (rows,) = tensor_rows(model)
    return filled_list(model, rows) is not None


def test_a_list_that_is_only_stacked(build: Build) -> None:
    assert is_filled(build)
    assert is_filled(build, above="scale = 2.0", more="shift = shift * scale")
    assert is_filled(build, result="tf.reduce_sum(tf.stack(found))")


@pytest.mark.parametrize(
    "changed",
    [
        {"above": "print(found)"},
        {"more": "print(shift)"},
        {"below": "count = 3"},
        {"result": "tf.stack(found), len(found)"},
        {"result": "tf.stack(found) + shift"},
        {"more": "shift = shift + len(found)"},
        {"more": "found[:1].append(shift)"},
    ],
)
def test_what_else_reads_or_runs(build: Build, changed: dict[str, str]) -> None:
    assert not is_filled(build, **changed)
