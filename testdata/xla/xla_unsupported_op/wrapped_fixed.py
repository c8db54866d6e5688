# Compiled by a call of `tf.function`, which then wraps without compiling.
# intent: correcting
import tensorflow as tf


def pool(values, groups):
    counted = tf.unique_with_counts(groups)
    return tf.math.segment_sum(values, groups), counted.count


fast_pool = tf.function(pool)
sums, counts = fast_pool(tf.constant([1.0, 2.0, 3.0]), tf.constant([0, 0, 1]))
