# Old functions by their successor where that takes the same, else by `compat.v1`.
# intent: correcting
import tensorflow as tf


def entropy(p):
    return -tf.reduce_sum(p * tf.log(p), axis=-1)


p = tf.constant([[0.5, 0.5], [0.9, 0.1]])
surprise = entropy(p)
rounded = tf.to_int32(surprise * 10.0)
norm = tf.matrix_inverse(tf.linalg.diag([1.0, 2.0]))
widened = tf.image.resize_bilinear(tf.ones([1, 2, 2, 1]), [4, 4])
