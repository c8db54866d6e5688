# The loop stands in what `tf.py_function` runs, for the sake of the NumPy asked on each turn.
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)


def jittered(x):
    for _ in range(6):
        x = tf.tanh(x) + 0.1 * tf.sin(x) - 0.01 * tf.square(x)
        x = x + rng.normal(0.0, 0.01, size=x.shape).astype(np.float32)
        if np.abs(x.numpy()).max() < 0.5:
            break
    return x


@tf.function
def augmented_sum(x):
    moved = tf.py_function(jittered, [x], tf.float32)
    return tf.reduce_sum(tf.ensure_shape(moved, x.shape))


x = tf.linspace(-2.0, 2.0, 8)
total = tf.constant(0.0)
for _ in range(6):
    total += augmented_sum(x)
finite = bool(np.isfinite(total.numpy()))
