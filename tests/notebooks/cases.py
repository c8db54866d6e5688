"""Notebooks for the tests: those of testdata/notebooks, and small ones that are made here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.running import Done

TESTDATA = Path(__file__).parents[2] / "testdata" / "notebooks"
NOTEBOOKS = sorted(p for p in TESTDATA.glob("*.ipynb") if not p.stem.endswith("_fixed"))
#: A training step that runs eagerly, in terms of names that it binds itself.
STEP = """\
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices((tf.ones([8, 2]), tf.ones([8, 1]))).batch(2, True)
for x, y in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""


def cell(text: str, kind: str = "code", **members: Any) -> dict[str, Any]:
    """A cell, of code if nothing else is said."""
    own: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    source = text.splitlines(keepends=True)
    return {"cell_type": kind, **own, "metadata": {}, "source": source, **members}


def notebook(*codes: str | dict[str, Any], metadata: dict[str, Any] | None = None) -> bytes:
    """A notebook of some cells, which are code where only their text is given."""
    cells = [cell(code) if isinstance(code, str) else code for code in codes]
    document = {"cells": cells, "metadata": metadata or {}, "nbformat": 4, "nbformat_minor": 4}
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def codes(data: bytes) -> list[str]:
    """The code of each code cell of a notebook."""
    cells = json.loads(data)["cells"]
    return ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]


Tool = Callable[..., Done]


def report(path: Path, tool: Tool) -> tuple[str, bytes]:
    """What the tool says of a notebook, and what it makes of a copy in the working folder."""
    copy = Path(path.name)
    copy.write_bytes(path.read_bytes())
    found = tool("check", "--output-format", "concise", copy.name)
    fixed = tool("check", "--fix", "--unsafe-fixes", "-q", copy.name)
    assert (found.status < 2, fixed.status < 2) == (True, True), found.err + fixed.err
    return found.out, copy.read_bytes()
