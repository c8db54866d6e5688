# `tf.unstack` reads the size that changes: a relaxed trace would not know it, so no fix.
import tensorflow as tf

x = tf.random.stateless_normal([3, 30], seed=[7, 7])


@tf.function
def pairwise(columns):
    parts = tf.unstack(columns, axis=1)
    return tf.add_n(parts)


for width in range(30, 1, -1):
    pairwise(x[:, :width])
