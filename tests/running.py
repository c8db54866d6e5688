"""Runs the command line in the process of the tests, and small projects to run it on."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tfxla_lint.cli import main

STEP = """\
import tensorflow as tf
{imports}

def step_{number}(model, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    return tape.gradient(loss, model.trainable_variables)
"""
LOOP = """\


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(lr=0.1)
for turn in range(1000):
    gradients = step_{number}(model, tf.ones([4, 4]))
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""


class Done(NamedTuple):
    """What one run of the command left."""

    status: int
    out: str
    err: str


Run = Callable[..., Done]


def runs(capture: pytest.CaptureFixture[str], *first: str) -> Run:
    """What runs the command with more arguments after the `first`, and with text on standard input."""

    def run(*arguments: str, stdin: bytes | None = None) -> Done:
        with pytest.MonkeyPatch.context() as patch:
            if stdin is not None:
                patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            with pytest.raises(SystemExit) as stop:
                main([*first, *arguments])
        out, err = capture.readouterr()
        assert isinstance(stop.value.code, int)
        return Done(stop.value.code, out, err)

    return run


def write_parts(folder: Path, text: str, plain: int) -> None:
    """Six files with steps, of which every second imports the one before it, and `plain` others."""
    (folder / "pyproject.toml").write_text("")
    for i in range(6):
        imports = f"from part_{i - 1} import step_{i - 1}  # noqa: F401" if i % 2 else ""
        (folder / f"part_{i}.py").write_text(text.format(imports=imports, number=i))
    for i in range(plain):
        (folder / f"plain_{i}.py").write_text("import os  # noqa: TXL101\n" * (i + 1))
