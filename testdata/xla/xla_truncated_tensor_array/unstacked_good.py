# `unstack` gives the array the size of what it takes apart.
import tensorflow as tf


@tf.function(jit_compile=True)
def backwards(x: tf.Tensor):
    rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True).unstack(x)
    total = tf.zeros([])
    for i in tf.range(3):
        total = total * 0.5 + rows.read(2 - i)
    return total


total = backwards(tf.constant([1.0, 2.0, 3.0]))
