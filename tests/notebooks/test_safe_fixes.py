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
