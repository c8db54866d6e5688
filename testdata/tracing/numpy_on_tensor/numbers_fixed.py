# A number beside a tensor takes its dtype if the tensor stands first, or is of that dtype.
# intent: correcting
import numpy as np
import tensorflow as tf


@tf.function
def activate(x):
    x = tf.cast(x, tf.float32) * 2.0
    positive = tf.maximum(x, 0)
    capped = tf.minimum(
        # at most
        1.0,
        x,
    )
    shifted = tf.add(x, 1)
    return positive, capped, shifted, tf.pow(2.0, x), tf.where(x > 1.0, 0.0, x)


@tf.function
def activate_doubles(x):
    x = tf.cast(x, tf.float64)
    return tf.maximum(x, 0.0), tf.where(x > 1.0, x, 1.0), tf.clip_by_value(x, 0, 1)


@tf.function
def counts(x):
    x = tf.cast(x, tf.int32)
    return tf.maximum(0, x), tf.minimum(x, 3), tf.reshape(x, [-1])


values = tf.constant([[-0.5, 1.5], [2.0, 0.25]])
floats = activate(values)
doubles = activate_doubles(values)
whole = counts(values)
