"""Which metrics of a loop could be made once."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repeated.epoch_metrics import resettable_metric

Build = Callable[[str], SemanticModel]

CODE = """
import tensorflow as tf

kept = []
for epoch in range(20):
    if epoch >= 0:
        mean = tf.keras.metrics.{made}
    for x in tf.data.Dataset.range(9):
        mean.update_state(x)
    {use}
"""


def is_resettable(model: SemanticModel) -> bool:
    loop = model.nodes(cst.For)[0]
    return resettable_metric(model, "mean", model.binder.module_scope, loop) is not None


@pytest.mark.parametrize("made", ["Mean()", "Mean('loss', dtype=tf.float32)", "MeanSquaredError()"])
def test_a_metric_that_is_only_used(build: Build, made: str) -> None:
    assert is_resettable(build(CODE.format(made=made, use="print(float(mean.result()))")))


@pytest.mark.parametrize(
    ("made", "use"),
    [
        ("Mean()", "kept.append(mean)"),
        ("Mean()", "kept.append(mean.result)"),
        ("Mean()", "kept.append(lambda: mean.result())"),
        ("Mean()", "mean = None"),
        ("Mean()", "print(mean.variables)"),
        ("Mean(name=f'{epoch}')", "pass"),
        ("get('mse')", "pass"),
    ],
)
def test_another_object_each_time_may_matter(build: Build, made: str, use: str) -> None:
    assert not is_resettable(build(CODE.format(made=made, use=use)))
