"""Lists of values that could be read once the loop is over, and such as could not."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import libcst as cst
import pytest

from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repeated.deferrable_lists import DeferrableList, deferrable_list
from tfxla_lint.semantics.repeated.freshness import Freshness
from tfxla_lint.semantics.repeated.syncs import Syncs
from tfxla_lint.semantics.syntax import target_names

Build = Callable[[str], SemanticModel]

HEAD = """
import contextlib
import tensorflow as tf

total = tf.Variable(0.0)
batches = tf.data.Dataset.from_tensor_slices(tf.ones([64, 4])).batch(8)

@tf.function
def step(x):
    return tf.reduce_sum(x)

def added(x):
    return total.assign_add(step(x))

def update_and_name(x):
    return "loss", total.assign_add(step(x))

"""
PLAIN = """
losses = []
for x in batches:
    losses.append(float(step(x)))
"""


def found(build: Build, code: str) -> list[DeferrableList]:
    """The lists of the first loop that reads anything."""
    model = build(HEAD + textwrap.dedent(code))
    loops: list[Loop] = [*model.nodes(cst.For), *model.nodes(cst.While)]
    for loop in reversed(loops):
        syncs = list(Syncs(model, loop, Freshness(model, loop)).find())
        if syncs:
            lists = [deferrable_list(model, sync) for sync in syncs]
            return [each for each in lists if each is not None]
    raise AssertionError("no loop reads a tensor")


def test_what_is_read_and_how(build: Build) -> None:
    (each,) = found(build, PLAIN.replace("float(step(x))", "round(float(step(x).numpy()), 3)"))
    assert (each.name, each.before, each.after) == ("losses", "round(float(", ".numpy()), 3)")
    assert isinstance(each.loop, cst.For)


def test_the_loop_after_which_is_read(build: Build) -> None:
    over_epochs = "losses = []\nfor epoch in range(9):\n    for x in batches:\n"
    over_epochs += "        losses.append(float(step(x)))\n"
    per_epoch = "for epoch in range(9):\n    losses = []\n    for x in batches:\n"
    per_epoch += "        losses.append(float(step(x)))\n"
    for code, target in ((over_epochs, "epoch"), (per_epoch, "x")):
        (each,) = found(build, code)
        assert isinstance(each.loop, cst.For)
        assert target in target_names(each.loop.target)


@pytest.mark.parametrize(
    "code",
    [
        PLAIN + "print(losses)",
        PLAIN + "    if len(x) % 10 == 0:\n        print(losses[-1], losses[-3:])",
        PLAIN.replace("losses = []", "losses, others = [], []"),
        PLAIN.replace("losses = []", "losses: list[float] = list()"),
        PLAIN.replace("float(step(x))", "step(x).numpy().item()"),
        "losses = [1.0]\nprint(losses)" + PLAIN,
        "def fit():\n" + textwrap.indent(PLAIN, "    ") + "    return losses\nfit()",
        "try:\n"
        + textwrap.indent(PLAIN, "    ")
        + "    print(losses)\nexcept ValueError:\n    pass",
        "with tf.device('cpu'):\n" + textwrap.indent(PLAIN, "    "),
    ],
)
def test_deferrable(build: Build, code: str) -> None:
    assert len(found(build, code)) == 1


@pytest.mark.parametrize(
    "code",
    [
        # The list holds something, or is known by another name.
        PLAIN.replace("[]", "[0.0]"),
        PLAIN.replace("losses = []", "losses = others = []"),
        PLAIN.replace("losses = []", "losses = []\nlog = {'loss': losses}"),
        PLAIN.replace("losses = []", "losses = []\ndef show():\n    print(losses)"),
        PLAIN.replace("losses = []", "losses = []\nshow = lambda: losses[-1]"),
        "losses = []\ndef fit():\n" + textwrap.indent(PLAIN, "    ").replace("losses = []", "pass"),
        "def fit():\n    global losses\n" + textwrap.indent(PLAIN, "    "),
        # The loop reads or changes it.
        PLAIN + "    print(losses[-1])",
        PLAIN + "    print(len(losses))",
        PLAIN + "    if len(x) % 10 == 0:\n        print(losses)",
        PLAIN + "    if len(x) % 10 == 0:\n        losses[-1] = 0.0",
        PLAIN + "    if len(x) % 10 == 0:\n        losses[-1] += 1.0",
        PLAIN + "    if len(x) % 10 == 0:\n        del losses[:-1]",
        PLAIN + "    losses.append(0.0)",
        PLAIN + "    print(globals())",
        "losses = []\nfor _ in range(9):" + textwrap.indent(PLAIN[12:], "    ") + "    print(losses)",
        # The loop may be left past its end.
        PLAIN + "else:\n    print(losses)",
        "def fit():\n" + textwrap.indent(PLAIN, "    ") + "        return losses\nfit()",
        "def fit():\n" + textwrap.indent(PLAIN, "    ") + "        yield 1\nfit()",
        "try:\n" + textwrap.indent(PLAIN, "    ") + "except OSError:\n    pass\nprint(losses)",
        "try:\n" + textwrap.indent(PLAIN, "    ") + "finally:\n    print(losses)",
        "with contextlib.suppress(OSError):\n" + textwrap.indent(PLAIN, "    ") + "print(losses)",
        PLAIN.replace(
            "    losses.append(float(step(x)))",
            "    try:\n        losses.append(float(step(x)))\n    except ValueError:\n        pass",
        ),
        # More than the tensor is read, or the tensor changes.
        PLAIN.replace("float(step(x))", "float(step(x)) / len(x)"),
        PLAIN.replace("float(step(x))", "(1, float(step(x)))"),
        PLAIN.replace("step(x)", "added(x)"),
        PLAIN.replace("step(x)", "update_and_name(x)[1]"),
        PLAIN.replace("    losses", "    name, loss = update_and_name(x)\n    losses").replace(
            "step(x)", "loss"
        ),
    ],
)  # fmt: skip
def test_not_deferrable(build: Build, code: str) -> None:
    assert found(build, code) == []
