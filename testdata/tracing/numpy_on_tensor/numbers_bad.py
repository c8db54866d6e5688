# A number beside a tensor takes its dtype if the tensor stands first, or is of that dtype.
# intent: correcting
import numpy as np
import tensorflow as tf


@tf.function
def activate(x):
    x = tf.cast(x, tf.float32) * 2.0
    positive = np.maximum(0, x)
    capped = np.minimum(
        # at most
        1.0,
        x,
    )
    shifted = np.add(1, x)
    return positive, capped, shifted, np.power(2.0, x), np.where(x > 1.0, 0.0, x)


@tf.function
def activate_doubles(x):
    x = tf.cast(x, tf.float64)
    return np.maximum(0.0, x), np.where(x > 1.0, x, 1.0), np.clip(x, 0, 1)


@tf.function
def counts(x):
    x = tf.cast(x, tf.int32)
    return np.maximum(0, x), np.minimum(x, 3), np.reshape(x, -1)


values = tf.constant([[-0.5, 1.5], [2.0, 0.25]])
floats = activate(values)
doubles = activate_doubles(values)
whole = counts(values)
