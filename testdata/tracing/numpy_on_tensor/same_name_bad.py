# Functions with an equal in TensorFlow, under its name, with their axes and defaults.
# intent: correcting
import numpy as np
import tensorflow as tf


@tf.function
def standardise(x):
    x = tf.cast(x, tf.float32)
    spread = np.maximum(np.std(x, axis=0), 1e-6)
    return (x - np.mean(x, 0, keepdims=True)) / spread


@tf.function
def join(a):
    a = tf.math.abs(a)
    pairs = np.concatenate([a, a])
    rows = np.stack((a, a), axis=1)
    return np.log1p(np.sum(pairs)), np.expand_dims(rows, 0)


@tf.function
def rounded(x):
    scaled = x * 2.5
    whole = tf.round(scaled)
    return np.int32(whole), np.clip(whole, 0.0, 4.0), np.sqrt(whole)


def columns(x):
    y = tf.transpose(x)
    return np.where(y > 1.0, y, -1.0)


data = tf.constant([[1.0, 2.0], [3.0, 4.5]])
standard = standardise(data)
joined = join(data)
numbers = rounded(data)
swapped = list(tf.data.Dataset.from_tensors(data).map(columns))
