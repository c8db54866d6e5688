"""What hangs on the last digit in calls that are made again tells nothing of a rewrite."""

from __future__ import annotations

import pytest

from .conftest import Verify, outcomes

#: The step hardly hangs on how large the gradient is, and that is zero but for rounding: exactly zero for what the
#: program passes, and not for tenths, which are put in its place later.
NORMALISED = """\
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.w = tf.Variable([1.0, 1.0])

    def step(self, x):
        total = tf.constant(0.0)
        for i in range(len(x)):
            total += x[i]
        for i in range(len(x)):
            total -= x[i]
        slope = tf.where(x[0] > 0.1, total, 2.0 * total)
        self.w.assign_sub(0.125 * slope / (tf.abs(slope) + 1e-6) * [1.0, 0.0])
        self.w.assign_sub([0.0, 0.125 * x[0]])
        return tf.reduce_sum(self.w)


trainer = Trainer()
for turn in range(3):
    print(float(trainer.step(tf.range(1.0, 24.0) * (turn + 1.0) / 8.0)))
"""


def test_steps_along_a_gradient_that_is_nothing(verify: Verify) -> None:
    new = NORMALISED.replace("total -= x[i]", "total -= x[-1 - i]")
    (verdict,) = verify(NORMALISED, new, power=True)
    assert verdict.outcome.value != "differs", verdict.evidence
    assert "hang on the last digit" in verdict.note


def test_other_steps_differ(verify: Verify) -> None:
    new = NORMALISED.replace("0.125 * x[0]", "0.126 * x[0]")
    assert outcomes(verify(NORMALISED, new, power=True)) == {"Trainer.step": "differs"}


#: A number becomes a tensor of it, which its caller makes.
RATED = """\
import tensorflow as tf

w = tf.Variable([1.0, 2.0])


def step(x, rate):
    w.assign_sub(rate * x)
    return tf.reduce_sum(w * x)


def main():
    for turn in range(3):
        print(float(step(tf.constant([0.5, 0.25]) * (turn + 1.0), 0.1)))


main()
"""


def test_a_number_that_became_a_tensor_is_varied_alike(verify: Verify) -> None:
    new = RATED.replace("def step", "@tf.function\ndef step").replace("0.1))", "tf.constant(0.1)))")
    (*verdicts,) = verify(RATED, new, power=True)
    assert set(outcomes(verdicts).values()) == {"equivalent"}, verdicts


#: A shift of all logits has a gradient that is nothing but rounding, along which Adam takes whole steps.
#: No number in it is drawn by TensorFlow.
SHIFTED = """\
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
data = tf.constant(rng.normal(size=(16, 5)), tf.float32)
labels = tf.constant(rng.integers(0, 4, 16))
w = tf.Variable({zero}rng.normal(size=(5, 4)), dtype=tf.float32)
shift = tf.Variable(0.0)
m, v = [0.0, 0.0], [0.0, 0.0]


def logits(x):
    rows = []
    for i in range(x.shape[0]):
        rows.append(tf.linalg.matvec(w, x[i], transpose_a=True) + shift)
    return tf.stack(rows)


for step in range(6):
    with tf.GradientTape() as tape:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits(data))
        loss = tf.reduce_mean(losses)
    for i, (g, of) in enumerate(zip(tape.gradient(loss, [w, shift]), [w, shift])):
        m[i] = 0.9 * m[i] + 0.1 * g
        v[i] = 0.99 * v[i] + 0.01 * g * g
        of.assign_sub(0.01 * m[i] / (tf.sqrt(v[i]) + 1e-8))
    print(f"{float(loss):.4f}")
"""


@pytest.mark.parametrize("zero", ["", "0.0 * "])
def test_steps_along_rounding_alone_are_left_out(zero: str, verify: Verify) -> None:
    text = SHIFTED.replace("{zero}", zero)
    loop = text[text.index("    rows = []") : text.index("    return tf.stack(rows)\n")]
    right = text.replace(loop, "").replace("tf.stack(rows)", "tf.matmul(x, w) + shift")
    (verdict,) = verify(text, right, power=True)
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")
    wrong = right.replace("matmul(x, w)", "matmul(x, 1.01 * w)")
    assert outcomes(verify(text, wrong, power=True)) == {"logits": "differs"}
