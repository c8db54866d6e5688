# Reductions, slices from the front and sizes of a masked tensor are right under XLA.
import tensorflow as tf


@tf.function(jit_compile=True)
def statistics(x: tf.Tensor):
    kept = tf.boolean_mask(x, x > 0.0)
    deviation = tf.math.reduce_std(kept)
    steps = kept[1:] - kept[:-1]
    first = kept[0]
    return tf.reduce_mean(kept), deviation, tf.reduce_sum(steps), first, tf.size(kept)


@tf.function(jit_compile=True)
def last_of(x: tf.Tensor):
    kept = x[x > 0.0]
    return tf.gather(kept, tf.size(kept) - 1)


@tf.function(jit_compile=True)
def columns(rows: tf.Tensor):
    positive = tf.boolean_mask(rows, rows[:, 0] > 0.0)
    return positive[:, -1], tf.cumsum(positive, axis=1)


values = tf.constant([1.0, -2.0, 3.0, 2.0])
mean, deviation, total, first, size = statistics(values)
last = last_of(values)
ends, sums = columns(tf.constant([[1.0, 2.0], [-1.0, 5.0], [4.0, 3.0]]))
