# `numpy_function` bodies and eager code hold arrays; an array argument becomes a tensor.
import numpy as np
import tensorflow as tf


def median(x):
    return np.median(x).astype(np.float32)


def summarise(x):
    if tf.is_tensor(x):
        return tf.reduce_mean(x)
    return np.mean(x)


@tf.function
def centred(x):
    y = tf.square(x)
    middle = tf.numpy_function(median, [y], tf.float32)
    return y - middle


@tf.function
def gathered(rows, index):
    # An array that is passed becomes a tensor.
    return rows[index] + tf.reduce_sum(rows)


def evaluate(x):
    return np.sum(tf.square(x)), np.exp(centred(x))


taken = gathered(np.arange(4.0), tf.constant(2))
totals = evaluate(tf.constant([1.0, 2.0]))
means = summarise(tf.ones([2])), summarise([1.0, 2.0])
