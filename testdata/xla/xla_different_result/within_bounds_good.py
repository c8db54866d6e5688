# Bounds, guards and replaced NaNs show that no index or value is out of range.
import numpy as np
import tensorflow as tf


@tf.function(jit_compile=True)
def slopes(x: tf.Tensor):
    count = tf.shape(x)[0]
    after = tf.minimum(tf.range(count) + 1, count - 1)
    steps = tf.range(count - 1)
    return tf.gather(x, after) - x, tf.gather(x, steps + 1), tf.gather(x, count - 1), x[-1]


@tf.function(jit_compile=True)
def rotated(x: tf.Tensor):
    total = tf.zeros([])
    for i in tf.range(tf.shape(x)[0]):
        if i > 0:
            total += tf.gather(x, i) * tf.gather(x, i - 1)
    return total


@tf.function(jit_compile=True)
def highest(x: tf.Tensor, total: tf.Tensor):
    x = tf.where(tf.math.is_nan(x), -np.inf, x)
    count = tf.maximum(tf.math.count_nonzero(x > 0.0, dtype=tf.int32), 1)
    return tf.reduce_max(x), total // count


x = tf.constant([1.0, 4.0, 9.0])
results = [slopes(x), rotated(x), highest(x, tf.constant(7))]
