"""Runs under both versions: what only TensorFlow 1 has stands where that one is asked for."""

import contextlib

import tensorflow as tf

VERSION = tuple(int(part) for part in tf.__version__.split(".")[:2])
if VERSION < (2, 0):
    AUTOTUNE = tf.contrib.data.AUTOTUNE
else:
    AUTOTUNE = tf.data.AUTOTUNE


def has_sessions():
    try:
        tf.Session
        return True
    except AttributeError:
        return False


with contextlib.suppress(AttributeError):
    tf.logging.set_verbosity(tf.logging.ERROR)
    tf.reset_default_graph()

optimizer = tf.keras.optimizers.Adam(learning_rate=0.1)
weight = tf.Variable(2.0)
optimizer.apply_gradients([(2.0 * weight, weight)])
print(has_sessions(), float(weight), AUTOTUNE)
