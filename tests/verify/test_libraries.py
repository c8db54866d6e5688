"""Arguments of functions that nothing calls: own classes, callables, gradients, texts, lengths."""

from __future__ import annotations

import pytest

from .conftest import Verify, is_refuted, outcomes

LIBRARY = """\
import tensorflow as tf


class Schedule:
    def __init__(self, base, warmup, total):
        self.base, self.warmup, self.total = base, warmup, total

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        ratio = tf.clip_by_value((step - self.warmup) / (self.total - self.warmup), 0.0, 1.0)
        return tf.where(step < self.warmup, self.base * step / self.warmup, self.base * ratio)


class Meter:
    def __init__(self, schedule):
        self.schedule = schedule
        self.values = []

    def log(self, step, value):
        self.values.append(float(value) * float(self.schedule(step)))
        return max(self.values)


class Scaled(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.scale = self.add_weight(shape=(), initializer="ones", name="scale")

    def call(self, x):
        self.add_loss(0.5 * tf.reduce_sum(tf.square(self.scale)))
        return x * self.scale


def masked(y_true, y_pred, lengths):
    mask = tf.sequence_mask(lengths, maxlen=tf.shape(y_true)[1], dtype=y_true.dtype)
    error = tf.reduce_mean(tf.square(y_true - y_pred), axis=-1)
    return tf.reduce_sum(error * mask) / tf.maximum(tf.reduce_sum(mask), 1.0)


def clip_and_apply(optimizer, grads_and_vars, limit):
    grads, variables = zip(*grads_and_vars)
    clipped, norm = tf.clip_by_global_norm(grads, limit)
    optimizer.apply_gradients(zip(clipped, variables))
    return norm


def words(texts):
    return tf.strings.split(tf.strings.lower(texts)).to_tensor("<pad>")


def pool(values, row_lengths):
    return tf.reduce_mean(tf.RaggedTensor.from_row_lengths(values, row_lengths), axis=1)


def scaled_by(x, rate):
    return x * rate


def twice(x, rate):
    return 2.0 * scaled_by(x, rate)
"""
WRONG = {
    "an object's number": ("self.base * ratio)", "self.base * ratio * 0.5)"),
    "an object in an object": ("max(self.values)", "self.values[-1]"),
    "the loss of a layer": ("add_loss(0.5 *", "add_loss(0.6 *"),
    "the gradient of a layer": ("x * self.scale", "x * tf.stop_gradient(self.scale)"),
    "lengths": ("error * mask) /", "error) /"),
    "no lengths": ("tf.maximum(tf.reduce_sum(mask), 1.0)", "tf.reduce_sum(mask)"),
    "gradients with variables": ("zip(clipped, variables)", "zip(grads, variables)"),
    "texts": ("tf.strings.lower(texts)", "texts"),
    "row lengths": (
        "from_row_lengths(values, row_lengths), axis",
        "from_row_lengths(values, row_lengths).to_tensor(), axis",
    ),
}
RIGHT = {
    "a graph of lengths": ("def masked(", "@tf.function\ndef masked("),
    "a graph of texts": ("def words(", "@tf.function\ndef words("),
    "parameters in another order": ("def scaled_by(x, rate)", "def scaled_by(rate, x)"),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_wrong_rewrites_are_refuted(change: tuple[str, str], verify: Verify) -> None:
    assert is_refuted(verify(LIBRARY, LIBRARY.replace(*change)))


@pytest.mark.parametrize("change", RIGHT.values(), ids=RIGHT)
def test_right_rewrites_are_equivalent(change: tuple[str, str], verify: Verify) -> None:
    verdicts = verify(LIBRARY, LIBRARY.replace(*change))
    assert set(outcomes(verdicts).values()) == {"equivalent"}


@pytest.mark.parametrize(("factor", "expected"), [("", "equivalent"), (" * 2.0", "differs")])
def test_a_function_with_other_parameters_is_called_by_its_callers(
    factor: str, expected: str, verify: Verify
) -> None:
    new = LIBRARY.replace(
        "def scaled_by(x, rate):\n    return x * rate",
        "def scaled_by(x, rate, by):\n    return x * rate * by",
    )
    new = new.replace("scaled_by(x, rate)\n", f"scaled_by(x, rate, 1.0{factor})\n")
    assert expected in outcomes(verify(LIBRARY, new)).values()
