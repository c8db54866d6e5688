# NumPy would promote to another dtype or shape than TensorFlow: no fix gives the same.
# intent: correcting
import numpy as np
import tensorflow as tf


@tf.function
def mixed(x):
    whole = tf.cast(x, tf.int32)
    scaled = tf.cast(x, tf.float32) * 2.0
    halves = np.maximum(whole, 0.5), np.power(whole, 0.5), np.multiply(whole, 2.5)
    switched = np.where(scaled > 1.0, 0, scaled)
    shifted = np.subtract(scaled, np.array([1.0, 2.0])), np.minimum(np.float64(0.5), scaled)
    joined = np.concatenate((scaled, np.ones((2, 2))), axis=1)
    return halves, switched, shifted, joined


@tf.function
def shaped(x):
    x = tf.abs(tf.cast(x, tf.float32))
    flat = np.concatenate([x, x], axis=None)
    return flat, np.clip(x, None, 1.0), np.mean(x).astype(np.float32), np.isnan(x).any()


values = tf.constant([[-0.5, 1.5], [2.0, 0.25]])
types = mixed(values)
shapes = shaped(values)
