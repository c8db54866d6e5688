# What a slice or a batch leaves is of no known size; a rank alone is held against a rank.
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([2, 3], tf.float32)])
def mean(rows):
    return tf.reduce_mean(rows, axis=0)


@tf.function
def inner(rows, size):
    return mean(rows[:size])


def outer(rows, start):
    return mean(rows[start:])


first = inner(tf.ones([4, 3]), tf.constant(2))
last = outer(tf.ones([4, 3]), 2)
