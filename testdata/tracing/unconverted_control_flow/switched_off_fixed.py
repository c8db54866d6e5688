# `autograph=False`, or a `for ... else` that stops the conversion: what stops it goes.
# intent: correcting
import tensorflow as tf


@tf.function()
def relu(x):
    if tf.reduce_sum(x) > 0.0:
        return x
    return tf.zeros_like(x)


@tf.function
def total(x):
    result = tf.zeros([])
    for value in x:
        result += value
    result *= 2.0
    return result


positive = relu(tf.constant([1.0, 2.0]))
twice = total(tf.constant([1.0, 2.0, 3.0]))
