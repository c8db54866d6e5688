"""Globals that a rewrite calls otherwise are known by how they are used, or named as not compared."""

from __future__ import annotations

import pytest

from tfxla_lint.verify.renames import renamed
from tfxla_lint.verify.trees import Tree

from .conftest import Verify

TEXT = """\
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
total = 0.0
history = []
for i in range(3):
    error = tf.reduce_sum(w) * float(i)
    total += float(error)
    history.append(float(error))
print("w", w.numpy())
"""


def edited(*changes: tuple[str, str]) -> str:
    text = TEXT
    for old, new in changes:
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ((("total", "running"),), {"total": "running"}),
        ((("total", "a"), ("history", "b")), {"total": "a", "history": "b"}),
        ((("history = []", "rows = {}"), ("history.append(float(error))", "rows[i] = error")), {}),
        ((("    total += float(error)\n", ""), ("total = 0.0", "count = 0")), {}),
    ],
)
def test_names_are_matched_by_their_uses(
    changes: tuple[tuple[str, str], ...], expected: dict[str, str]
) -> None:
    assert renamed(Tree(TEXT), Tree(edited(*changes))) == expected


def test_two_names_of_one_use_are_not_told_apart() -> None:
    old = "a = 0.0\nb = 0.0\n"
    assert renamed(Tree(old), Tree("c = 0.0\nd = 0.0\n")) == {}


def test_attributes_are_matched_too() -> None:
    old = "class A:\n    def f(self, x):\n        self.total = x\n        return self.total\n"
    assert renamed(Tree(old), Tree(old.replace("total", "sum"))) == {"total": "sum"}


def test_what_a_renamed_global_holds_is_compared(verify: Verify) -> None:
    right = edited(("total", "running"), ("reduce_sum(w) * float(i)", "reduce_sum(w * float(i))"))
    (verdict,) = verify(TEXT, right)
    assert (verdict.outcome.value, verdict.note) == ("equivalent", "")
    (verdict,) = verify(
        TEXT, right.replace("running += float(error)", "running += 2 * float(error)")
    )
    assert verdict.outcome.value == "differs"
    assert verdict.evidence[0].path == "total"


def test_globals_that_are_gone_are_named(verify: Verify) -> None:
    right = edited(("    total += float(error)\n", ""), ("total = 0.0\n", ""))
    (verdict,) = verify(TEXT, right)
    assert verdict.outcome.value == "equivalent"
    assert verdict.note == "not compared, since the rewritten code has no such name: total"


def test_what_loops_go_through_is_not_matched() -> None:
    old = "for batch in data:\n    loss = step(batch)\nprint(loss)\n"
    new = "for batches in chunks:\n    loss = steps(batches)\nprint(loss)\n"
    assert renamed(Tree(old), Tree(new)) == {}
