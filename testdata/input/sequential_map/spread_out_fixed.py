# The map draws through a lambda and an aliased module: the argument is added on a line.
import tensorflow as tf
from tensorflow import data as tfdata

images = tf.reshape(tf.range(96.0), [6, 4, 4])


def half(image):
    image = tf.add(image[::2, ::2], 1.0)
    return image * tf.math.ceil(tf.random.uniform([], 0.1, 0.9))


def total():
    data = tfdata.Dataset.from_tensor_slices(images).cache().map(
        lambda image: half(image),  # smaller
        num_parallel_calls=tfdata.AUTOTUNE,
    )
    result = tf.zeros([2, 2])
    for image in data:
        result = 0.5 * result + image
    return result


result = total()
