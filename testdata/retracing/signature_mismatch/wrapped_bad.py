# A signature of a wrapped function holds as well, and for arguments by keyword.
# intent: correcting
import tensorflow as tf


def blend(first, second):
    return 0.5 * (first + second)


traced = tf.function(
    blend, input_signature=[tf.TensorSpec([2], tf.float32), tf.TensorSpec([2], tf.float32)]
)
mixed = traced(second=tf.constant([1, 2]), first=tf.constant([1.0, 2.0]))
