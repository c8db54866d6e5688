# Functions with an equal in TensorFlow, under its name, with their axes and defaults.
# intent: correcting
import numpy as np
import tensorflow as tf


@tf.function
def standardise(x):
    x = tf.cast(x, tf.float32)
    spread = tf.maximum(tf.math.reduce_std(x, axis=0), 1e-6)
    return (x - tf.reduce_mean(x, 0, keepdims=True)) / spread


@tf.function
def join(a):
    a = tf.math.abs(a)
    pairs = tf.concat([a, a], axis=0)
    rows = tf.stack((a, a), axis=1)
    return tf.math.log1p(tf.reduce_sum(pairs)), tf.expand_dims(rows, 0)


@tf.function
def rounded(x):
    scaled = x * 2.5
    whole = tf.round(scaled)
    return tf.cast(whole, tf.int32), tf.clip_by_value(whole, 0.0, 4.0), tf.sqrt(whole)


def columns(x):
    y = tf.transpose(x)
    return tf.where(y > 1.0, y, -1.0)


data = tf.constant([[1.0, 2.0], [3.0, 4.5]])
standard = standardise(data)
joined = join(data)
numbers = rounded(data)
swapped = list(tf.data.Dataset.from_tensors(data).map(columns))
