# The operation is two calls below the compiled function, through a traced one.
# intent: correcting
import tensorflow as tf


def resize(image, size):
    return tf.image.resize(image, [size, size], method="bicubic")


@tf.function
def pyramid(image):
    return [resize(image, 8), resize(image, 4)]


@tf.function(reduce_retracing=True, jit_compile=True)
def features(image):
    levels = pyramid(image)
    return [tf.reduce_mean(level) for level in levels]


means = features(tf.ones([1, 16, 16, 3]))
