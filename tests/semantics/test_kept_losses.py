"""Losses that calls leave with a model, read where a trace would keep them apart from those calls."""

from __future__ import annotations

import libcst as cst
import pytest

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.kept_losses import Stray, When, stray_losses
from tfxla_lint.source import Source

from .conftest import unit_named

PROGRAM = """\
import tensorflow as tf

net = tf.keras.Sequential(
    [tf.keras.Input([3]), tf.keras.layers.Dense(4, activity_regularizer="l2")]
)
mse = tf.keras.losses.MeanSquaredError()
data = tf.data.Dataset.from_tensor_slices((tf.ones([192, 3]), tf.zeros([192, 4]))).batch(16)


def penalty():
    return tf.add_n(net.losses)


def step(x, y):
    loss = mse(y, net(x))
    return loss + penalty()


for x, y in data:
    loss = step(x, y)
"""
INPUT = "tf.keras.Input([3]), "
OF_CALLS, OF_WEIGHTS = "activity_regularizer", "kernel_regularizer"
CALL = "    loss = mse(y, net(x))\n    return loss + penalty()\n"


def strays(text: str) -> list[Stray]:
    model = SemanticModel.build(cst.parse_module(text), Source("example.py", text))
    return list(stray_losses(model, unit_named(model, "step").body))


@pytest.mark.parametrize(
    "text",
    [
        PROGRAM,
        PROGRAM.replace("penalty()\n\n\nfor", "tf.add_n(net.losses)\n\n\nfor"),
        PROGRAM.replace(CALL, "    return penalty() + mse(y, net(x))\n").replace(
            OF_CALLS, OF_WEIGHTS
        ),
        PROGRAM.replace(CALL, "    return penalty() + mse(y, net(x))\n").replace('"l2"', "None"),
        PROGRAM + "    net(x)\n    print(penalty())\n",
    ],
)
def test_losses_of_the_call_before(text: str) -> None:
    assert strays(text) == []


@pytest.mark.parametrize(
    ("text", "when"),
    [
        (PROGRAM.replace(CALL, "    return penalty() + mse(y, net(x))\n"), When.OF_ANOTHER),
        (PROGRAM.replace(CALL, "    return tf.add_n(net.losses) + mse(y, x)\n"), When.OF_ANOTHER),
        (
            PROGRAM.replace(CALL, "    return penalty() + mse(y, net(x))\n")
            .replace(OF_CALLS, OF_WEIGHTS)
            .replace(INPUT, ""),
            When.BEFORE_ANY,
        ),
        (PROGRAM + "    print(tf.add_n(net.losses))\n", When.ELSEWHERE),
        (PROGRAM + "\n\ndef shown():\n    print(penalty())\n\n\nshown()\n", When.ELSEWHERE),
    ],
)
def test_losses_of_another_call(text: str, when: When) -> None:
    assert [stray.when for stray in strays(text)] == [when]
