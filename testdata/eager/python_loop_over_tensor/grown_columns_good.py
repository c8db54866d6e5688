# What a loop joins along another axis, or in a few turns, has as few rows as its parts.
import tensorflow as tf


@tf.function
def weigh(x):
    return tf.tanh(x @ tf.ones([3, 2]))


def beside(batches):
    found = None
    for x in batches:
        part = tf.transpose(weigh(x))
        found = part if found is None else tf.concat([found, part], axis=1)
    return tf.map_fn(tf.cumsum, found)


def a_few(start):
    found = weigh(start)
    for scale in (0.5, 2.0):
        found = tf.concat([found, weigh(start * scale)], axis=0)
    return tf.map_fn(tf.cumsum, found)


rows = tf.reshape(tf.cos(tf.range(30.0)), (10, 3))
wide = beside(tf.data.Dataset.from_tensor_slices(rows).batch(5))
tall = a_few(rows)
