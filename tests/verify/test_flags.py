"""Flags, which say of each of several rows that something is so, stay flags in all calls."""

from __future__ import annotations

from .conftest import Verify, outcomes

OLD = """import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])


def targets(reward, state, done):
    out = np.zeros(len(reward), "float32")
    for i in range(len(reward)):
        out[i] = reward[i]
        if not done[i]:
            out[i] += 0.5 * tf.reduce_max(model(state[i : i + 1])).numpy()
    return out


def main():
    random = np.random.default_rng(3)
    for turn in range(6):
        done = (random.random(8) < 0.3).astype("float32")
        print(targets(random.random(8, "float32"), random.random((8, 3), "float32"), done).sum())


if __name__ == "__main__":
    main()
"""
LOOP = OLD[OLD.index("    out = np") : OLD.index("def main")]
NEW = OLD.replace(
    LOOP,
    "    best = tf.reduce_max(model(state), axis=1)\n"
    "    return (reward + 0.5 * (1.0 - done) * best).numpy()\n\n\n",
)


def test_a_product_with_flags_does_what_a_test_of_each_does(verify: Verify) -> None:
    assert outcomes(verify(OLD, NEW)) == {"targets": "equivalent"}


def test_flags_that_are_turned_are_seen(verify: Verify) -> None:
    assert outcomes(verify(OLD, NEW.replace("(1.0 - done)", "done"))) == {"targets": "differs"}
