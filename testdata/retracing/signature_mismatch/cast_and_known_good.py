# What NumPy and Python hand over is cast to the signature's dtype; unknown sizes may be right.
import numpy as np
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([], tf.int32)])
def scaled(rows, times):
    return rows * tf.cast(times, tf.float32)


@tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
def norm(values):
    return tf.norm(values)


whole = scaled(np.ones([2, 3]), 2)
listed = scaled([[1.0, 2.0, 3.0]], tf.constant(3))
for batch in tf.data.Dataset.from_tensor_slices(tf.ones([5, 3])).batch(2):
    whole = scaled(batch, 1)
size = norm(tf.ones([2, 2])) + norm(whole[0])
try:
    scaled(tf.ones([3]), 2)
    refused = False
except TypeError:
    refused = True
