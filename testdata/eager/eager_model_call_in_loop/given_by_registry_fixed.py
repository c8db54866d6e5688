"""Nobody here knows what the loader gives; pairs of which a model is run on one are samples."""

import importlib

import tensorflow as tf

tf.keras.utils.set_random_seed(6)


def pairs(count):
    return [(tf.ones([4, 2]) * (i / 10), tf.zeros([4])) for i in range(count)]


def loaded(name):
    return getattr(importlib.import_module(__name__), name)(12)


model = tf.keras.Sequential(
    [tf.keras.Input((2,)), tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(3)]
)
traced_model = tf.function(model, reduce_retracing=True)


def answers(data):
    found = []
    for x, y in data:
        found.append(traced_model(x, training=False))
    return found


logits = answers(loaded("pairs"))
