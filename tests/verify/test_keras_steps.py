"""Steps that Keras traces itself are judged as Keras runs them."""

from __future__ import annotations

import pytest

from .conftest import Verify, outcomes

MODEL = """\
import tensorflow as tf


class Counting(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
        self.steps = 0

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        self.steps += 1
        print("step", x.shape)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        variables = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return {"loss": loss}
"""
OWN_COMPILE = """\

    def compile(self, d_opt, g_optimizer, loss_fn):
        super().compile()
        self.optimizers = [d_opt, g_optimizer]
        self.loss_fn = loss_fn
"""
TRACED = ("    def train_step", "    @tf.function\n    def train_step")
FREE = ("        self.steps += 1\n", "")


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([TRACED], "equivalent"),
        ([TRACED, ("** 2", "** 4")], "differs"),
        ([("(tape.gradient(loss, variables),", "([0.5 * g for g in tape.gradient(loss, variables)],")], "differs"),
        ([TRACED, FREE, ('"step"', '"trace"')], "not checked"),
    ],
    ids=["traced", "a wrong loss", "a wrong step", "an effect in Python"],
)  # fmt: skip
def test_train_step(edits: list[tuple[str, str]], expected: str, verify_of_many: Verify) -> None:
    new = MODEL
    for old, text in edits:
        assert old in new
        new = new.replace(old, text)
    verdicts = verify_of_many(MODEL, new)
    assert outcomes(verdicts)["Counting.train_step"] == expected, verdicts[0]


def test_a_step_may_return_a_tensor_for_a_number(verify_of_many: Verify) -> None:
    old = MODEL.replace('{"loss": loss}', '{"loss": float(loss)}')
    assert outcomes(verify_of_many(old, MODEL)) == {"Counting.train_step": "equivalent"}
    assert outcomes(verify_of_many(old, MODEL.replace("** 2", "** 4"))) == {
        "Counting.train_step": "differs"
    }


def test_a_model_with_a_compile_of_its_own(verify_of_many: Verify) -> None:
    own = MODEL.replace("\n    def train_step", OWN_COMPILE + "\n    def train_step")
    own = own.replace("(self(x) - y) ** 2", "self.loss_fn(y, self(x))")
    own = own.replace("self.optimizer.", "self.optimizers[0].")
    found = outcomes(verify_of_many(own, own.replace(*TRACED)))
    assert found == {"Counting.train_step": "equivalent"}
    wrong = (
        own.replace(*TRACED)
        .replace("optimizers[0]", "optimizers[1]")
        .replace("loss_fn(y,", "loss_fn(y + 1.0,")
    )
    assert outcomes(verify_of_many(own, wrong)) == {"Counting.train_step": "differs"}


#: What only a trace of Keras runs.
LOSS = """\
import numpy as np
import tensorflow as tf


def soft(x):
    return tf.reduce_mean(tf.math.log(tf.nn.softmax(x)))


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = tf.keras.layers.Dense(3)

    def call(self, x):
        return self.inner(x)

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = soft(self(data[0], training=True))
        variables = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return {"loss": loss}


tf.keras.utils.set_random_seed(1)
model = Model()
model.compile(optimizer=tf.keras.optimizers.SGD(0.1))
rows = np.random.default_rng(0).normal(size=(8, 4)).astype("float32")
print(model.fit(rows, np.zeros(8), batch_size=4, epochs=2, verbose=0).history["loss"])
"""


def test_what_only_a_trace_runs_is_run(verify_of_many: Verify) -> None:
    new = LOSS.replace("tf.math.log(tf.nn.softmax(x))", "tf.nn.log_softmax(x)")
    (verdict,) = verify_of_many(LOSS, new, power=True)
    assert (verdict.outcome.value, verdict.method) == ("equivalent", "program"), verdict.reason


SHARES = """\
import numpy as np
import tensorflow as tf


class Share(tf.keras.metrics.Metric):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hits = self.add_weight(name="hits", initializer="zeros")
        self.total = self.add_weight(name="total", initializer="zeros")

    def update_state(self, y, found, sample_weight=None):
        below = tf.map_fn(lambda row: row[0] - row[1], (y, found[:, 0]), fn_output_signature=tf.float32)
        weights = tf.ones_like(below) if sample_weight is None else sample_weight
        self.hits.assign_add(tf.reduce_sum(below * weights))
        self.total.assign_add(tf.reduce_sum(weights))

    def result(self):
        return self.hits / self.total


rows = np.random.RandomState(0).normal(size=(8, 3)).astype(np.float32)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse", weighted_metrics=[Share()])
weights = np.array([0.5, 1.5] * 4, np.float32)
history = model.fit(rows, rows[:, 0], batch_size=4, epochs=2, sample_weight=weights, verbose=0)
print(history.history)
"""


@pytest.mark.parametrize(
    ("total", "expected"),
    [("tf.reduce_sum(weights)", "equivalent"), ("tf.cast(tf.size(y), tf.float32)", "differs")],
)
def test_what_only_keras_calls_is_called_with_other_numbers_too(
    total: str, expected: str, verify_of_many: Verify
) -> None:
    new = SHARES.replace(
        "tf.map_fn(lambda row: row[0] - row[1], (y, found[:, 0]), fn_output_signature=tf.float32)",
        "y - found[:, 0]",
    ).replace("assign_add(tf.reduce_sum(weights))", f"assign_add({total})")
    # The weights of each batch come to its number of rows.
    (verdict,) = verify_of_many(SHARES, new)
    assert verdict.outcome.value == expected, verdict
