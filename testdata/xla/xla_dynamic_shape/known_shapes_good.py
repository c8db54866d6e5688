# A constant mask has a known count, and a mask by `where` keeps the shape.
import numpy as np
import tensorflow as tf

CORNERS = np.array([True, False, False, True])


@tf.function(jit_compile=True)
def edges(x: tf.Tensor):
    corners = tf.boolean_mask(x, CORNERS)
    front = tf.boolean_mask(x, tf.range(4) < 2)
    return corners[-1] - front[-1]


@tf.function(jit_compile=True)
def masked_running_sum(x: tf.Tensor):
    kept = tf.where(x > 0.0, x, 0.0)
    return tf.cumsum(kept)[-1], tf.roll(kept, 1, axis=0), kept[::-1]


values = tf.constant([1.0, -2.0, 3.0, 2.0])
edge = edges(values)
total, rolled, backwards = masked_running_sum(values)
