"""What hangs on the last digit in calls that are made again tells nothing of a rewrite."""

from __future__ import annotations

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
