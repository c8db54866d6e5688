"""A step that is passed nothing, of which Keras' losses ask in Python, is declared for all sizes by no safe fix."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfxla_lint.cli import main

PROGRAM = """import tensorflow as tf

tf.keras.utils.set_random_seed(7)
rows = tf.random.stateless_normal([44, 3], [1, 2])
targets = tf.reduce_sum(rows, axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(4, "tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
loss_fn = tf.keras.losses.MeanSquaredError()
data = tf.data.Dataset.from_tensor_slices((rows[:32], targets[:32])).batch(6)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(10):
    for x, y in data:
        loss = train_step(x, y)
print(round(float(loss), 3))
"""


@pytest.mark.parametrize(
    ("last", "is_fixed"),
    [
        ("", True),
        ("train_step(rows[40:], targets[40:])\n", True),
        ("train_step(rows[44:], targets[44:])\n", False),
    ],
    ids=["no more", "four rows", "none"],
)
def test_an_empty_batch(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    last: str,
    is_fixed: bool,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.py").write_text(PROGRAM + last)
    with pytest.raises(SystemExit):
        main(["--isolated", "--no-cache", "--fix", "--diff", "."])
    assert ("input_signature" in capfd.readouterr().out) is is_fixed
