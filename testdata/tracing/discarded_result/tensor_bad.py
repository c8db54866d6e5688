# Pure functions change no tensor in place: the discarded result is bound to its first argument.
# intent: correcting
import tensorflow as tf


def mask_first(x):
    x = tf.identity(x)
    tf.tensor_scatter_nd_update(x, [[0]], [0.0])
    return x


def bounded(x, low):
    scaled = tf.square(x)
    if low is not None:
        tf.clip_by_value(scaled, low, 4.0)  # from below and above
    return scaled


def normalised(images):
    tf.cast(images, tf.float32)
    return images * 0.5


masked = mask_first(tf.constant([1.0, 2.0]))
limited = bounded(tf.constant([1.0, 3.0]), 0.0)
tf.debugging.assert_equal(masked[0], 0.0)
tf.debugging.assert_less(limited, 5.0)
light = normalised(tf.constant([0, 255]))
