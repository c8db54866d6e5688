"""Samples of calls, from a program as it stands and from one whose sources are replaced."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.profile.programs import run, write
from tfxla_lint.profile.launch import SAMPLER
from tfxla_lint.profile.recorder.sampler import encode, same

PROGRAM = """
    import tensorflow as tf

    class State:
        def __init__(self):
            self.w = tf.Variable([1.0, 2.0], name="w")
            self.calls = 0

    def step(state, x, scale=2.0):
        state.w.assign_add(x)
        state.calls += 1
        if x[0] > 5.0:
            raise ValueError("too large")
        return {"sum": tf.reduce_sum(state.w) * scale}

    def main():
        state = State()
        for value in (1.0, 2.0, 9.0, 1.0):
            try:
                step(state, tf.fill([2], value) + tf.random.uniform([2]))
            except ValueError:
                pass

    main()
"""


def sampled(folder: Path, **options: Any) -> list[dict[str, Any]]:
    """The samples of `step`."""
    file = folder / "samples.pickle"
    wanted = {"file": str(file), "functions": [["train.py", "step"]], "calls": 3, "seed": 1}
    outcome = run(
        folder,
        "train.py",
        plugin=SAMPLER,
        plugin_options=wanted,
        stderr=subprocess.PIPE,
        **options,
    )
    assert outcome.status == 0
    rows: list[dict[str, Any]] = pickle.loads(file.read_bytes())
    return rows


def test_calls_are_kept_with_their_values(tmp_path: Path) -> None:
    write(tmp_path, train=PROGRAM)
    rows = sampled(tmp_path)
    assert [row["failed"] for row in rows] == [False, False, True]
    first = rows[0]
    assert first["mode"] == "eager"
    assert first["arguments"]["scale"] == ("python", 2.0)
    kind, dtype, x = first["arguments"]["x"]
    assert (kind, dtype, x.shape) == ("tensor", "float32", (2,))
    state = first["arguments"]["state"]
    assert state[1] == "__main__.State"
    np.testing.assert_array_equal(state[2]["w"][3], [1.0, 2.0])
    assert list(first["changed"]) == ["state"]
    assert first["changed"]["state"][2]["calls"] == ("python", 1)
    after = first["changed"]["state"][2]["w"][3]
    ((_, total),) = first["result"][2]
    np.testing.assert_allclose(total[2], 2.0 * after.sum())

    text = (tmp_path / "train.py").read_text()
    new = text.replace("    state.calls += 1\n", "").replace("def step", "@tf.function\ndef step")
    new = new.replace('        raise ValueError("too large")', '        tf.print("large")')
    again = sampled(tmp_path, sources={str(tmp_path / "train.py"): new})
    assert [row["mode"] for row in again] == ["graph"] * 3
    assert same(again[0]["arguments"]["x"], first["arguments"]["x"])
    ((_, other),) = again[0]["result"][2]
    np.testing.assert_allclose(other[2], total[2], rtol=1e-6)
    assert (tmp_path / "train.py").read_text() == text


@pytest.mark.parametrize(
    ("left", "right", "is_same"),
    [
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), True),
        (np.array([1.0]), np.array([1.0], np.float32), False),
        ({"a": [1, (2,)]}, {"a": [1, (2,)]}, True),
        ({"a": [1, (2,)]}, {"a": [1, (3,)]}, False),
        (1, 1.0, False),
        (float("nan"), float("nan"), True),
        (object, object, True),
    ],
)
def test_nodes_are_compared_bit_for_bit(left: object, right: object, is_same: bool) -> None:
    assert same(encode(left), encode(right)) is is_same
