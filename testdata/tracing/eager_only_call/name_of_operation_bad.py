# What lands in `name` is no name: eager execution never looks at it, a graph raises.
# intent: correcting
import tensorflow as tf


@tf.function
def distance(a, b):
    squares = tf.reduce_sum(tf.square(a - b), axis=-1)
    return tf.sqrt(squares, 2)


def doubled(x):
    return tf.multiply(x, 2.0, tf.float32)


@tf.function
def loss(x):
    return tf.reduce_mean(doubled(x), name="mean loss")


near = distance(tf.zeros([2, 3]), tf.ones([2, 3]))
total = loss(near)
