# What NumPy is given are numbers that are known while tracing: shapes, ranks and settings.
import numpy as np
import tensorflow as tf

weights = tf.Variable(tf.ones([6, 2]))


@tf.function
def flattened(x):
    size = int(np.prod(x.shape[1:]))
    scale = np.sqrt(size) / np.max([len(x.shape), 1])
    mask = np.tri(size, dtype=np.float32)
    return tf.reshape(x, [-1, size]) @ mask @ weights / scale


total = [float(tf.reduce_sum(flattened(tf.ones([3, 2, 3])))) for _ in range(3)]
