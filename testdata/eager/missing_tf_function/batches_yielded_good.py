# A generator cannot be traced: what it computes for each batch stays where it is.
import numpy as np
import tensorflow as tf


def pairs(images, size, seed=3):
    """Yield batches of two views of each image."""
    rng = np.random.default_rng(seed)
    for start in range(0, len(images), size):
        batch = tf.image.convert_image_dtype(images[start : start + size], tf.float32)
        shift = int(rng.integers(0, 3))
        yield batch, tf.roll(tf.reverse(batch, axis=[2]), shift, axis=1)


@tf.function
def similarity(first, second):
    first = tf.nn.l2_normalize(tf.reshape(first, [4, -1]), axis=1)
    second = tf.nn.l2_normalize(tf.reshape(second, [4, -1]), axis=1)
    return tf.reduce_mean(tf.reduce_sum(first * second, axis=1))


images = np.random.default_rng(1).integers(0, 255, size=(24, 6, 6, 3), dtype=np.uint8)
total = tf.constant(0.0)
for first, second in pairs(images, 4):
    total += similarity(first, second)
print(round(float(total) / 6, 3))
