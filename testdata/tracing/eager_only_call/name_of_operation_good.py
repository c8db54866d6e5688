# A name may be a text that is made while tracing, or none; eager code may pass what it likes.
import tensorflow as tf


@tf.function
def distance(a, b, name=None):
    squares = tf.reduce_sum(tf.square(a - b), axis=-1, name=f"squares_{a.shape[0]}")
    return tf.sqrt(squares, name)


@tf.function
def clipped(x, low, high):
    return tf.clip_by_value(x, low, high, "clipped")


def rounded(x):
    return tf.round(x, 2)


near = clipped(distance(tf.zeros([2, 3]), tf.ones([2, 3])), 0.0, 1.0)
whole = rounded(near)
