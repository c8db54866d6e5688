# The members have other dtypes, or the result another shape: no equal in TensorFlow.
# intent: correcting
import tensorflow as tf


@tf.function
def largest(x):
    whole = tf.cast(x, tf.int32)
    rows = tf.cast(tf.reshape(x, [2, 2]), tf.float32)
    return max(whole[0], 2.5), max(rows)


values = largest(tf.constant([1.0, 2.0, 3.0, 4.0]))
