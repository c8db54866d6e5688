# One place of a kernel after the other is set, and each turn copies the whole kernel for it.
import tensorflow as tf


def identity(channels):
    kernel = tf.zeros([3, 3, channels, channels])
    for channel in range(channels):
        kernel = tf.tensor_scatter_nd_update(kernel, [[1, 1, channel, channel]], [1.0])
    return kernel


class Histogram:
    def __init__(self, bins):
        self.bins = bins
        self.counts = tf.zeros([bins], tf.int32)

    def of(self, numbers):
        for number in range(numbers):
            self.counts = tf.tensor_scatter_nd_add(self.counts, [[7 * number % self.bins]], [1])
        return self.counts


kernel = identity(256)
counts = Histogram(10).of(200)
total = float(tf.reduce_sum(kernel)) + int(tf.reduce_max(counts))
