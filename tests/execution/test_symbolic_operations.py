"""TXL507 on TensorFlow: which operations refuse a symbolic tensor of Keras, and which take one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.cases import linted
from tfxla_lint.source import Source
from tools.programs.client import Worker
from tools.programs.tool import TESTDATA

CASES = TESTDATA / "api" / "keras_object_in_op"

#: One call of each, of images, rows and indices that are symbolic.
CALLS = (
    "tf.abs(rows)", "tf.argmax(rows, 1)", "tf.boolean_mask(rows, [True])", "tf.cast(rows, tf.int32)",
    "tf.clip_by_value(rows, 0.0, 1.0)", "tf.concat([rows, rows], 0)", "tf.constant(rows)",
    "tf.convert_to_tensor(rows)", "tf.cumsum(rows)", "tf.einsum('ij->i', rows)",
    "tf.expand_dims(rows, 1)", "tf.fill([indices], 1.0)", "tf.gather(rows, [0])",
    "tf.identity(rows)", "tf.image.resize(images, (4, 4))", "tf.linalg.matmul(rows, rows)",
    "tf.map_fn(tf.abs, rows)", "tf.math.l2_normalize(rows)", "tf.maximum(rows, 0.0)",
    "tf.multiply(rows, 2.0)", "tf.nn.conv2d(images, tf.ones((3, 3, 3, 1)), 1, 'SAME')",
    "tf.nn.dropout(rows, 0.5)", "tf.nn.embedding_lookup(tf.ones((3, 3)), indices)",
    "tf.nn.max_pool2d(images, 2, 2, 'SAME')", "tf.nn.relu(rows)", "tf.nn.softmax(rows)",
    "tf.one_hot(indices, 3)", "tf.pad(rows, [[0, 0], [1, 1]])", "tf.range(indices)",
    "tf.reduce_mean(rows)", "tf.reshape(rows, [-1])", "tf.shape(rows)", "tf.split(rows, 2, 1)",
    "tf.squeeze(rows)", "tf.stack([rows, rows])", "tf.stop_gradient(rows)", "tf.tile(rows, [1, 2])",
    "tf.transpose(rows)", "tf.unstack(rows, axis=1)", "tf.where(rows > 0, rows, rows)",
    "tf.zeros((indices, 3))", "tf.zeros_like(rows)",
)  # fmt: skip
TAKING = (
    "tf.is_tensor(rows)", "tf.keras.activations.relu(rows)", "tf.keras.losses.mse(rows, rows)",
    "tf.keras.ops.relu(rows)", "tf.nest.flatten([rows])", "tf.print(rows)", "rows * 2.0 + rows",
    "tf.divide(2.0, rows)",
    "tf.nn.batch_normalization(rows, tf.ones(4), tf.ones(4), None, None, 0.1)",
)  # fmt: skip
HEAD = (
    "import tensorflow as tf\n\n"
    "images = tf.keras.Input((8, 8, 3))\nrows = tf.keras.Input((4,))\n"
    'indices = tf.keras.Input((), dtype="int32")\n'
)


@pytest.mark.parametrize("call", CALLS)
def test_what_is_named_raises(call: str, worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"{HEAD}{call}\n")
    assert [finding.code for finding in linted("TXL507", Source.read(path)).findings] == ["TXL507"]
    error = worker.run(path).error
    assert error is not None
    assert error[0] in ("ValueError", "TypeError", "OperatorNotAllowedInGraphError")


@pytest.mark.parametrize("call", TAKING)
def test_what_is_not_named_runs(call: str, worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"{HEAD}{call}\n")
    assert not linted("TXL507", Source.read(path)).findings
    assert worker.run(path).error is None


@pytest.mark.parametrize("path", sorted(CASES.glob("*_bad.py")), ids=lambda path: path.stem)
def test_bad_file_raises(path: Path, worker: Worker) -> None:
    error = worker.run(path).error
    assert error is not None
    assert error[0] in ("ValueError", "AttributeError")
