# What NumPy draws for each element, in a Python function that the pipeline runs, is cached as well.
import numpy as np
import tensorflow as tf


def shifted(row):
    return row + np.random.normal(size=row.shape).astype("float32")


def augment(row):
    return tf.ensure_shape(tf.numpy_function(shifted, [row], tf.float32), [2])


def traced(row):
    return row * tf.constant(np.random.uniform(), tf.float32)


rows = tf.data.Dataset.from_tensor_slices(tf.ones([8, 2]))
kept = rows.map(augment).cache().batch(4)
fresh = rows.cache().map(augment).batch(4)
frozen = rows.map(traced).cache().batch(4)
counts = [sum(1 for batch in data) for data in (kept, fresh, frozen)]
