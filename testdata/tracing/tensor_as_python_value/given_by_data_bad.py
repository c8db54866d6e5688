# The elements of the data set have a member for the argument that is off by default.
# intent: correcting
import tensorflow as tf


def scaled(image, longest=None):
    if longest is not None:
        image = image / max(tf.cast(tf.shape(image), tf.float32))
    return image


pairs = (tf.ones([3, 2, 4]), [4.0, 5.0, 6.0])
images = tf.data.Dataset.from_tensor_slices(pairs).map(scaled)
totals = [float(tf.reduce_sum(image)) for image in images]
