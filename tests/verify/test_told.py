"""What docstrings say of the values of parameters, beside their shapes; and what is made of it."""

from __future__ import annotations

from typing import Any

import pytest

from tfxla_lint.verify.documented import (
    documented_dimensions,
    documented_shapes,
    documented_sizes,
)
from tfxla_lint.verify.told import ordered_columns, told_limits, told_values
from tfxla_lint.verify.worker.told import in_order

from .conftest import Verify, outcomes

HEAD = "import numpy as np\nimport tensorflow as tf\n\n\n"
GOOGLE = """Cuts a signal.

    Args:
      signal: float tensor [batch, samples], at least `length` samples.
      length (int): samples per frame, e.g. 16.
      mode: "sum", "mean" or "max"; frames without samples are zero.

    Returns:
      count: of frames, e.g. 3.
"""
PROSE = (
    "Counts. tokens: ragged string tensor [batch, (tokens)]; n: int >= 2. sizes: e.g. [8, 16]; few."
)


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        (
            GOOGLE,
            ["signal", "length", "mode", "count"],
            {"length": {"example": 16}, "mode": {"words": ["sum", "mean", "max"]}},
        ),
        (
            PROSE,
            ["tokens", "n", "sizes"],
            {
                "tokens": {"ragged": "string", "tokens": True},
                "n": {"minimum": 2},
                "sizes": {"example": [8, 16]},
            },
        ),
        ("Cuts x, e.g. into 3 parts of n: so many.", ["x"], {}),
        ("n: e.g. many.", ["n"], {}),
    ],
)
def test_values_that_are_told(text: str, names: list[str], expected: dict[str, Any]) -> None:
    assert told_values([text], names) == expected


LIMITED = """Takes a series apart.

    Args:
      x: float32 [time], at least two periods long.
      period: odd number of steps, e.g. 5.
      lag: int (lag < time), at least 1.
    """


def test_numbers_and_sizes_have_the_limits_that_are_told() -> None:
    names = ["x", "period", "lag"]
    dimensions = documented_dimensions(LIMITED, ["x"])
    assert dimensions == {"x": ["time"]}
    assert told_limits(LIMITED, names, dimensions) == {
        "x": {"times": ["period", 2]},
        "period": {"parity": 1},
        "lag": {"below": ["x", 0, True]},
    }
    assert told_limits("x: [n], at least two rows. k: even so, a number.", ["x", "k"], {}) == {}


def test_dtypes_are_told_by_their_names() -> None:
    shapes = documented_shapes(
        "images: uint8 batch [n, h] with values 0..255; ids: int64 [n].", ["images", "ids"]
    )
    assert shapes == {
        "images": {"shape": [4, 3], "dtype": "uint8", "low": 0.0, "high": 255.0},
        "ids": {"shape": [4], "dtype": "int64"},
    }
    # What is returned is behind the arrow.
    assert documented_shapes("Of x [n] up to k -> [k + 1].", ["x", "k"]) == {"x": {"shape": [4]}}


SERIES = (
    HEAD
    + '''def seasons(x, period):
    """The mean of each phase of a series.

    Args:
        x: float32 [time], at least two periods long.
        period: odd number of steps in a season, e.g. 3.
    """
    half = period // 2
    middle = [tf.reduce_mean(x[t - half : t + half + 1]) for t in range(half, x.shape[0] - half)]
    return x[half : x.shape[0] - half] - tf.stack(middle)


def levels(images):
    """How often each level comes up; images: uint8 [n, pixels] with values 0..255."""
    images = np.asarray(images)
    return tf.constant(np.stack([np.bincount(row, minlength=256) for row in images]))


def lagged(x, lag):
    """The products of x [time] and itself, lag (lag < time) steps later."""
    return tf.stack([tf.reduce_sum(x[k:] * x[: x.shape[0] - k]) for k in range(lag + 1)])
'''
)


def test_arguments_are_as_is_told(verify: Verify) -> None:
    new = SERIES.replace(
        "    middle = [tf.reduce_mean(x[t - half : t + half + 1]) for t in range(half, x.shape[0] - half)]\n"
        "    return x[half : x.shape[0] - half] - tf.stack(middle)\n",
        "    middle = tf.reduce_mean(tf.signal.frame(x, 2 * half + 1, 1), axis=1)\n"
        "    return x[half : x.shape[0] - half] - middle\n",
    )
    new = new.replace(
        "np.stack([np.bincount(row, minlength=256) for row in images])",
        "(images[:, :, None] == np.arange(256, dtype=np.uint8)).sum(axis=1)",
    )
    new = new.replace(
        "tf.stack([tf.reduce_sum(x[k:] * x[: x.shape[0] - k]) for k in range(lag + 1)])",
        "tf.map_fn(lambda k: tf.reduce_sum(x[k:] * x[: x.shape[0] - k]), tf.range(lag + 1), x.dtype)",
    )
    assert set(outcomes(verify(SERIES, new)).values()) == {"equivalent"}


def test_the_numbers_of_rows_are_in_the_order_that_is_told() -> None:
    told = "Boxes are rows [x1, y1, x2, y2] in pixels with x2 > x1 and y1 < y2."
    assert ordered_columns([told]) == {4: [(0, 2), (1, 3)]}
    assert ordered_columns(["rows [a, b] where a is large; c > d"]) == {}


@pytest.mark.parametrize(
    ("told", "low", "high"),
    [
        ("[n] in [0, 1]", 0, 1),
        ("[n] between -1 and 1", -1, 1),
        ("[n] of 0/1", 0, 1),
        ("[n], classes from 1.", 1, 3),
        ("[n] in any order", None, None),
    ],
)
def test_between_which_numbers_values_lie(told: str, low: float | None, high: float | None) -> None:
    (found,) = documented_shapes(f"scores: float32 {told}", ["scores"]).values()
    assert (found.get("low"), found.get("high")) == (low, high)


def test_the_sizes_that_are_named() -> None:
    told = "labels int32 [batch], probs float32 [batch, classes]"
    assert documented_sizes(told) == {"batch": 4, "classes": 3}


COUNTED = '''\
def mean_of(values, n):
    """values: float32 [rows]; n: int >= 1, the first so many."""
    total = 0.0
    for i in range(min(n, values.shape[0])):
        total += values[i]
    return total / min(n, values.shape[0])
'''
WORDS = '''\
def reduced(values: tf.Tensor, how: str = "mean") -> tf.Tensor:
    """values: float32 [rows, columns]."""
    rows = []
    for row in values:
        rows.append(tf.reduce_sum(row) if how == "sum" else tf.reduce_mean(row))
    return tf.stack(rows)
'''
BOXES = '''\
def areas(boxes):
    """boxes: float32 [n, 4], rows [x1, y1, x2, y2] with x2 > x1 and y2 > y1."""
    found = []
    for box in boxes.numpy():
        found.append(abs(box[2] - box[0]) * abs(box[3] - box[1]))
    return tf.constant(found, tf.float32)
'''


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        (
            COUNTED,
            "def mean_of(values, n):\n    return tf.reduce_mean(values[:n])\n",
            "def mean_of(values, n):\n    return tf.reduce_mean(values[: n + 1])\n",
        ),
        (
            WORDS,
            "def reduced(values, how='mean'):\n"
            "    if how == 'sum':\n        return tf.reduce_sum(values, axis=1)\n"
            "    return tf.reduce_mean(values, axis=1)\n",
            "def reduced(values, how='mean'):\n    return tf.reduce_mean(values, axis=1)\n",
        ),
        (
            BOXES,
            "def areas(boxes):\n"
            "    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])\n",
            "def areas(boxes):\n"
            "    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 0])\n",
        ),
    ],
)
def test_what_is_told_is_passed(old: str, new: str, wrong: str, verify: Verify) -> None:
    (right, refuted) = (verify(HEAD + old, HEAD + text, power=True) for text in (new, wrong))
    assert [verdict.outcome.value for verdict in right] == ["equivalent"], right
    assert [verdict.outcome.value for verdict in refuted] == ["differs"], refuted


def test_objects_are_made_for_the_sizes_that_a_method_is_told_of(verify: Verify) -> None:
    old = '''\
class Confusion:
    def __init__(self, classes: int):
        self.counts = tf.Variable(tf.zeros((classes, classes)))

    def update(self, labels, probs):
        """labels int32 [batch], probs float32 [batch, classes]."""
        for label, row in zip(labels.numpy(), probs.numpy()):
            best = int(np.argmax(row))
            self.counts[int(label), best].assign(self.counts[int(label), best] + 1.0)
'''
    new = '''\
class Confusion:
    def __init__(self, classes: int):
        self.counts = tf.Variable(tf.zeros((classes, classes)))

    def update(self, labels, probs):
        """labels int32 [batch], probs float32 [batch, classes]."""
        places = tf.stack([labels, tf.argmax(probs, axis=1, output_type=tf.int32)], axis=1)
        self.counts.scatter_nd_add(places, tf.ones_like(labels, tf.float32))
'''
    assert outcomes(verify(HEAD + old, HEAD + new)) == {"Confusion.update": "equivalent"}
    wrong = new.replace("[labels, tf.argmax(", "[tf.zeros_like(labels), tf.argmax(")
    assert outcomes(verify(HEAD + old, HEAD + wrong)) == {"Confusion.update": "differs"}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"low_share": 0.9, "high_share": 0.6}, {"low_share": 0.6, "high_share": 0.9}),
        ({"low_share": 0.1, "high_share": 0.6}, {"low_share": 0.1, "high_share": 0.6}),
        ({"low_share": 0.9}, {"low_share": 0.5}),
        ({"high_share": 0.1}, {"high_share": 0.4}),
        ({"low_share": 9, "high_share": 0.6}, {"low_share": 9, "high_share": 0.6}),
    ],
)
def test_the_order_of_defaults_is_kept(values: dict[str, Any], expected: dict[str, Any]) -> None:
    parameters: list[dict[str, Any]] = [
        {"name": "x"},
        {"name": "low_share", "value": 0.4},
        {"name": "high_share", "value": 0.5},
        {"name": "rate", "value": 0.1},
    ]
    assert in_order(parameters, values) == expected


def test_what_a_length_is_held_against_is_no_less_than_nothing(verify: Verify) -> None:
    old = (
        "def best(scores, most=2):\n    kept = []\n    for i in np.argsort(-scores):\n"
        "        if len(kept) == most:\n            break\n        kept.append(int(i))\n"
        "    return tf.constant(kept, tf.int32)\n"
    )
    new = (
        "def best(scores, most=2):\n"
        "    order = tf.argsort(scores, direction='DESCENDING', stable=True)\n"
        "    return order[:most]\n"
    )
    assert outcomes(verify(HEAD + old, HEAD + new)) == {"best": "equivalent"}
    wrong = new.replace("order[:most]", "order[: most + 1]")
    assert outcomes(verify(HEAD + old, HEAD + wrong)) == {"best": "differs"}


def test_calls_that_the_original_does_not_survive_are_left_out(verify: Verify) -> None:
    old = (
        "def frames(signal: tf.Tensor, length: int):\n    found = []\n"
        "    for i in range(signal.shape[1] - length + 1):\n"
        "        found.append(signal[:, i : i + length])\n    return tf.stack(found, axis=1)\n"
    )
    new = (
        "def frames(signal: tf.Tensor, length: int):\n"
        "    return tf.signal.frame(signal, length, 1, axis=1)\n"
    )
    assert outcomes(verify(HEAD + old, HEAD + new)) == {"frames": "equivalent"}


def test_gradients_are_asked_for_where_a_program_has_a_tape_open(verify: Verify) -> None:
    old = (
        "def returns(values):\n    found = np.zeros(3, np.float32)\n    for i in range(3):\n"
        "        found[i] = 0.5 * float(values[i])\n    return tf.constant(found) + values\n\n\n"
    )
    new = "def returns(values):\n    return 0.5 * values + values\n\n\n"
    plain = "print(returns(tf.constant([1.0, 2.0, 3.0])).numpy())\n"
    assert outcomes(verify(HEAD + old + plain, HEAD + new + plain)) == {"returns": "equivalent"}
    taped = (
        "x = tf.Variable([1.0, 2.0, 3.0])\nwith tf.GradientTape() as tape:\n"
        "    y = tf.reduce_sum(returns(x + 0.0))\nprint(tape.gradient(y, x).numpy())\n"
    )
    assert outcomes(verify(HEAD + old + taped, HEAD + new + taped)) == {"returns": "differs"}


@pytest.mark.parametrize(
    ("text", "between"),
    [
        ("p: strictly between 0 and 1.", (0.001, 0.999)),
        ("p: in [0, 1]", (0.0, 1.0)),
        ("p (float): a share in (0, 1]", (0.001, 1.0)),
        ("p: between 2 and 2", None),
    ],
)
def test_between_which_numbers_one_lies(text: str, between: tuple[float, float] | None) -> None:
    found = told_values([text], ["p"]).get("p", {}).get("between")
    assert found == (between and pytest.approx(between))
