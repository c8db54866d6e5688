# Indexing by a tensor, and functions without an equal in TensorFlow: reported only.
# intent: correcting
import numpy as np
import tensorflow as tf

LEVELS = [0.1, 0.2, 0.4]
table = np.array([1.0, 2.0, 3.0], dtype=np.float32)
weights = tf.Variable([0.5, 1.5])


@tf.function
def look_up(x):
    best = tf.argmax(x)
    if x[0] > 0.0:
        return table[best]
    return x[0] * LEVELS[best]


class Penalty(tf.keras.layers.Layer):
    def call(self, x):
        total = tf.reduce_sum(x)
        return np.percentile(total, 50)


@tf.function
def measure(x):
    doubled = x * 2.0
    return np.array(tf.sort(doubled)), np.argmax(tf.square(x)), np.dot(weights, weights)


@tf.function
def penalised(x):
    return Penalty()(tf.square(x))


measured = measure(tf.constant([1.0, 2.0]))
