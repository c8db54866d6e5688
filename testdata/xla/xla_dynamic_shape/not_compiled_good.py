# Without XLA, shapes that depend on data are what they are.
import tensorflow as tf


@tf.function
def last_positive(x):
    kept = tf.boolean_mask(x, x > 0.0)
    return kept[-1], tf.cumsum(kept), kept[::-1]


def ranks(labels):
    kinds, _ = tf.unique(labels)
    return tf.eye(tf.size(kinds)), kinds[-1]


last, sums, backwards = last_positive(tf.constant([1.0, -2.0, 3.0]))
unit, newest = ranks(tf.constant([3, 1, 3]))
