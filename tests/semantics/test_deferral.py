"""Lists and totals of values that could be read once the loop is over, and such as could not."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

import libcst as cst
import pytest

from rules.eager.host_sync_in_loop.deferrable_lists import DeferrableList, deferrable_list
from rules.eager.host_sync_in_loop.deferrable_totals import DeferrableTotal, deferrable_total
from rules.eager.host_sync_in_loop.freshness import Freshness
from rules.eager.host_sync_in_loop.syncs import Sync, Syncs
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
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


def syncs_of(model: SemanticModel) -> list[tuple[SemanticModel, Sync]]:
    """What the last loop reads that reads anything."""
    loops: list[Loop] = [*model.nodes(cst.For), *model.nodes(cst.While)]
    for loop in reversed(loops):
        syncs = list(Syncs(model, loop, Freshness(model, loop)).find())
        if syncs:
            return [(model, sync) for sync in syncs]
    raise AssertionError("no loop reads a tensor")


def found(build: Build, code: str) -> list[DeferrableList]:
    lists = [deferrable_list(*sync) for sync in syncs_of(build(HEAD + textwrap.dedent(code)))]
    return [each for each in lists if each is not None]


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


TOTAL = """
right = 0
for x in batches:
    right += int(tf.reduce_sum(tf.cast(step(x) > x, tf.int32)))
"""


def total(build: Build, code: str) -> DeferrableTotal | None:
    (sync,) = syncs_of(build(HEAD + code))
    return deferrable_total(*sync)


@pytest.mark.parametrize(
    "code",
    [
        TOTAL + "print(right)",
        TOTAL.replace("right = 0", "right, count = 0, 0"),
        TOTAL.replace("int(", "(").replace("))\n", ")).numpy()\n"),
        TOTAL.replace("int32", "int64"),
    ],
)
def test_totals_that_can_wait(build: Build, code: str) -> None:
    found = total(build, code)
    assert found is not None
    assert found.name == "right"


@pytest.mark.parametrize(
    "code",
    [
        TOTAL.replace("int32", "float32"),
        TOTAL.replace("int32", "int8"),
        TOTAL.replace("tf.reduce_sum", "2 * tf.reduce_sum").replace("int(2", "2 * int("),
        TOTAL.replace("+=", "-="),
        TOTAL.replace("right = 0", "right = 0.0"),
        TOTAL.replace("right = 0", "right = False"),
        TOTAL.replace("right = 0", "right = len([1])"),
        TOTAL.replace("int(", "float("),
        TOTAL + "    print(right)",
        TOTAL + "    right += 1",
        TOTAL + "    if right > 100:\n        break",
        "def fit():\n    global right\n" + textwrap.indent(TOTAL, "    ") + "fit()",
        "def fit():\n" + textwrap.indent(TOTAL, "    ") + "        return right\nfit()",
        "def show():\n    print(right)\n" + TOTAL + "    show()",
    ],
)
def test_totals_that_cannot_wait(build: Build, code: str) -> None:
    assert total(build, code) is None
