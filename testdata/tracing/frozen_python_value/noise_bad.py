# NumPy's draws are made once: `tf.random` draws per call, with the dtype that NumPy's had.
# intent: correcting
import numpy as np
import tensorflow as tf


@tf.function
def noisy(x):
    scaled = tf.cast(x, tf.float32)
    return scaled + np.random.normal(0.0, 0.1, size=(4, 3))


@tf.function
def dropped(x):
    mask = tf.cast(np.random.rand(4, 3), tf.float32)
    return tf.cast(x, tf.float32) * mask


@tf.function
def precise(x):
    start = tf.cast(x, tf.float64)
    return start * np.random.uniform(low=-1.0, high=1.0, size=12)


def repeats(function, x):
    return bool(tf.reduce_all(function(x) == function(x)))


batch = tf.ones([4, 3])
same_noise = repeats(noisy, batch)
same_mask = repeats(dropped, batch)
same_scale = repeats(precise, tf.ones([12]))
