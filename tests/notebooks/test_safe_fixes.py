"""Fixes that are safe in a file, and not in a notebook: it shows values, and may go on after errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.notebooks.cases import Tool, cell, codes, notebook

RATE = "optimizer = tf.keras.optimizers.SGD(lr=0.5)\n"
TAPE = "with tf.GradientTape() as tape:\n    loss = tf.ones([2]) * 2.0\n"


@pytest.mark.parametrize(
    ("text", "metadata", "is_safe"),
    [
        (RATE, {}, True),
        (RATE, {"tags": ["hide-output"]}, True),
        (RATE, {"tags": ["raises-exception"]}, False),
        (TAPE + "print(loss)\n", {}, True),
        (TAPE + "    loss\nprint(loss)\n", {}, False),
    ],
    ids=[
        "a cell",
        "another tag",
        "a cell that may raise",
        "a block",
        "a value that would be shown",
    ],
)
def test_safe_fixes(
    text: str, metadata: dict[str, Any], is_safe: bool, tool: Tool, tmp_path: Path
) -> None:
    book = Path("book.ipynb")
    book.write_bytes(notebook("import tensorflow as tf\n", cell(text, metadata=metadata)))
    tool("check", "--fix", "-q", book.name)
    assert (codes(book.read_bytes())[1] != text) == is_safe


MODEL = (
    "import tensorflow as tf\n",
    "inputs = tf.ones([60, 4])\n"
    "data = tf.data.Dataset.from_tensor_slices((inputs, tf.ones([60, 1]))).batch(16)\n",
    "model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])\n"
    "optimizer = tf.keras.optimizers.SGD(0.05)\n"
    "loss_of = tf.keras.losses.MeanSquaredError()\n",
    "for x, y in data:\n"
    "    with tf.GradientTape() as tape:\n"
    "        loss = loss_of(y, model(x, training=True))\n"
    "    gradients = tape.gradient(loss, model.trainable_variables)\n"
    "    optimizer.apply_gradients(zip(gradients, model.trainable_variables))\n",
)


@pytest.mark.parametrize(
    ("later", "is_declared"),
    [
        ("print(inputs.shape)\n", True),
        ("data = data.map(lambda a, b: (a, b[:, 0]))\n", False),
        ("inputs = tf.cast(inputs, tf.float64)\n", False),
    ],
    ids=["nothing", "other data", "what the data come of"],
)
def test_no_shapes_are_declared_that_a_later_cell_may_change(
    later: str, is_declared: bool, tool: Tool, tmp_path: Path
) -> None:
    book = Path("book.ipynb")
    book.write_bytes(notebook(*MODEL, later))
    tool("check", "--fix", "-q", book.name)
    text = codes(book.read_bytes())[3]
    assert "@tf.function" in text
    assert ("input_signature" in text) == is_declared


@pytest.mark.parametrize(
    ("later", "is_safe"),
    [
        ("print(model.trainable)\n", True),
        ("model.trainable = False\n", False),
        ("for layer in model.layers:\n    layer.trainable = False\n", False),
        ("model.add(tf.keras.layers.Dense(1))\n", False),
        ("alias = model\nalias.trainable = False\n", False),
        ("first = model.get_layer(index=0)\nfirst.trainable = False\n", False),
        (
            "other = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nother.trainable = False\n",
            True,
        ),
    ],
    ids=[
        "nothing",
        "a setting",
        "a setting of each layer",
        "a layer",
        "an alias",
        "a part",
        "a model of its own",
    ],
)
def test_no_fix_is_safe_of_what_a_later_cell_changes(
    later: str, is_safe: bool, tool: Tool, tmp_path: Path
) -> None:
    book = Path("book.ipynb")
    book.write_bytes(notebook(*MODEL, later))
    tool("check", "--fix", "-q", book.name)
    assert ("@tf.function" in codes(book.read_bytes())[3]) == is_safe
