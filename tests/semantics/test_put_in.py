from __future__ import annotations

import libcst as cst
import pytest

from tests.semantics.conftest import unit_named
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.proof import unit_gaps
from tfxla_lint.source import Source

PROGRAM = """
import heapq
import numpy as np
import tensorflow as tf

w = tf.Variable([0.5, -1.0])


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * x))
    w.assign_sub(0.05 * tape.gradient(loss, w))
    return loss


rows = [tf.ones([2])]
named = {"a": tf.ones([2])}
groups = {"a": [tf.ones([2])]}
pairs = [(1, tf.ones([2]))]
losses = []
MORE
for x in ITERABLE:
    loss = step(x)
"""
#: What puts an array where the step finds it, and where that is.
UNSEEN = [
    ("more = rows\nmore.append(np.ones(2))", "rows"),
    ("def fill(batches): batches.append(np.ones(2))\nfill(rows)", "rows"),
    ("def grow(): rows.append(np.ones(2))\ngrow()", "rows"),
    ("named.setdefault('b', np.ones(2))", "named.values()"),
    ("other = named\nother['b'] = np.ones(2)", "named.values()"),
    ("groups['a'].append(np.ones(2))", "groups['a']"),
    ("groups.get('a').append(np.ones(2))", "groups['a']"),
    ("groups.setdefault('a', []).append(np.ones(2))", "groups['a']"),
    ("for key in groups:\n    groups[key].append(np.ones(2))", "groups['a']"),
    ("[rows.append(np.ones(2)) for _ in range(2)]", "rows"),
    ("add = rows.append\nadd(np.ones(2))", "rows"),
    ("list(map(rows.append, [np.ones(2)]))", "rows"),
    (
        "import collections\nmore = collections.defaultdict(lambda: np.ones(2))\nmore['a'] = tf.ones([2])",
        "[more['a'], more['b']]",
    ),
    ("heapq.heappush(pairs, (0, np.ones(2)))", "[pair[1] for pair in pairs]"),
]
#: What does no harm.
HARMLESS = [
    ("rows.append(tf.zeros([2]))", "rows"),
    ("more = rows\nmore.append(tf.zeros([2]))", "rows"),
    ("groups['b'] = [1.0, 2.0]\ngroups['b'].append(3.0)", "rows"),
    ("losses.append(np.ones(2))", "rows"),
    ("groups['a'].append(np.ones(2))", "tf.data.Dataset.from_tensor_slices(tf.ones([3, 2]))"),
]


def gaps(more: str, iterable: str) -> list[str]:
    text = PROGRAM.replace("MORE", more).replace("ITERABLE", iterable)
    model = SemanticModel.build(cst.parse_module(text), Source("example.py", text))
    return [gap.words for gap in unit_gaps(model, unit_named(model, "step"))]


@pytest.mark.parametrize(("more", "iterable"), UNSEEN)
def test_an_array_that_gets_in_unseen_is_minded(more: str, iterable: str) -> None:
    assert gaps(more, iterable)


@pytest.mark.parametrize(("more", "iterable"), HARMLESS)
def test_what_does_no_harm_is_none_of_them(more: str, iterable: str) -> None:
    assert gaps(more, iterable) == []
