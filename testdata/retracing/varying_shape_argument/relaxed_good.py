# Relaxed or declared shapes, and eager functions, need no trace for each size.
import tensorflow as tf

series = tf.range(50.0)


@tf.function(reduce_retracing=True)
def mean(past):
    return tf.reduce_mean(past)


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def largest(past):
    return tf.reduce_max(past)


def plain(past):
    return tf.reduce_min(past)


for i in range(1, 50):
    mean(series[:i])
    largest(series[:i])
    plain(series[:i])
