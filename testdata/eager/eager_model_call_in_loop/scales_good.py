"""The model is run at a few scales that the caller chooses; these are no data."""

import sys

import tensorflow as tf

tf.keras.utils.set_random_seed(6)
model = tf.keras.Sequential(
    [tf.keras.Input((2,)), tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(3)]
)
given = sys.modules[__name__].__dict__.get("SCALES") or [1.0, 2.0]


def at_scales(x, scales):
    return [model(x * scale) for scale in scales]


def summed(x, scales):
    total = 0.0
    for scale in scales:
        total += model(tf.ones([4, 2]) * scale)
    return total


logits = at_scales(tf.ones([4, 2]), given)
total = summed(tf.ones([4, 2]), given)
