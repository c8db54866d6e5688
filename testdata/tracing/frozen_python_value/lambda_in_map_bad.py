"""The function of a `Lambda` layer that a mapped function runs at once is traced with it: its draw comes once."""

import numpy as np
import tensorflow as tf

np.random.seed(4)


def augment(image):
    flips = tf.keras.layers.Lambda(lambda x: tf.math.less(np.random.rand(), 0.5))(image)
    return tf.cond(flips, lambda: tf.image.flip_left_right(image), lambda: image)


images = tf.reshape(tf.range(2.0 * 4), [2, 2, 2, 1])
data = tf.data.Dataset.from_tensor_slices(images).repeat(10).map(augment)
firsts = {float(image[0, 0, 0]) for image in data}
print(len(firsts))
