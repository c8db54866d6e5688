# Nothing in the file runs before `tf.contrib` is replaced by hand: no name is renamed alone.
import tensorflow as tf

initializer = tf.contrib.layers.xavier_initializer()


@tf.function
def entropy(p):
    return -tf.reduce_sum(p * tf.log(p), keep_dims=True)
