# A dataset made of the same data on each turn, in order: it and its first batch go in front.
import numpy as np
import tensorflow as tf


def draw(turns):
    x = np.arange(12.0).reshape(4, 3)
    total = tf.zeros([3], tf.float64)
    dataset = tf.data.Dataset.from_tensor_slices(x).batch(2).prefetch(1)
    batch = next(iter(dataset))
    for turn in range(turns):
        total += tf.reduce_sum(batch, axis=0)
    return total


result = draw(10)
dataset = tf.data.Dataset.from_tensor_slices(tf.zeros([4, 2])).batch(2)
for turn in range(5):
    result += tf.cast(tf.reduce_sum(next(iter(dataset))), tf.float64)
