"""Attributes that a rewrite holds another kind of thing in: what a class keeps to itself is told by its methods."""

from __future__ import annotations

import pytest

from tfxla_lint.verify.remade import remade
from tfxla_lint.verify.trees import Tree

from .conftest import Verify, outcomes

OLD = """import numpy as np
import tensorflow as tf


class Seen:
    def __init__(self, users, items):
        self._seen = [set() for _ in range(users)]
        self.items = items

    def note(self, user, item):
        self._seen[user].add(item)

    def unseen(self, user):
        return tf.constant([i for i in range(self.items) if i not in self._seen[user]], tf.int32)


seen = Seen(3, 6)
for user, item in [(0, 2), (1, 5), (0, 4), (2, 0), (1, 5)]:
    seen.note(user, item)
for user in range(3):
    print(seen.unseen(user).numpy())
"""
NEW = (
    OLD.replace("[set() for _ in range(users)]", "np.zeros((users, items), bool)")
    .replace("self._seen[user].add(item)", "self._seen[user, item] = True")
    .replace(
        "tf.constant([i for i in range(self.items) if i not in self._seen[user]], tf.int32)",
        "tf.cast(tf.where(~self._seen[user])[:, 0], tf.int32)",
    )
)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("self._x = [1 for _ in n]", "self._x = np.ones(n)", {"_x"}),
        ("self._x = [0] * n", "self._x = None", {"_x"}),
        ("self._x = 1", "self._x = None", set()),
        ("self._x = np.ones(n)", "self._x = np.ones(n + 1)", set()),
        ("self._x = [n]\n\n\nprint(A(1)._x)", "self._x = np.ones(n)", set()),
        ("self._x = [n]", "self._y = np.ones(n)", set()),
    ],
)
def test_what_is_made_as_another_kind_of_thing(old: str, new: str, expected: set[str]) -> None:
    head = "class A:\n    def __init__(self, n):\n        "
    assert remade(Tree(f"{head}{old}\n"), Tree(f"{head}{new}\n")) == expected


def test_an_array_takes_the_place_of_a_list_of_sets(verify: Verify) -> None:
    found = outcomes(verify(OLD, NEW))
    assert found["Seen.unseen"] == "equivalent"
    assert "differs" not in found.values()


def test_what_its_methods_give_tells_that_it_is_wrong(verify: Verify) -> None:
    wrong = NEW.replace("[user, item] = True", "[user, item - 1] = True")
    assert "differs" in outcomes(verify(OLD, wrong)).values()
