# An argument that no trace gives, and whose default keeps Python off: eager calls may give it.
import tensorflow as tf


def scaled(image, longest=None, shown=False):
    image = tf.cast(image, tf.float32)
    if longest:
        image = image * longest / max(tf.cast(tf.shape(image), tf.float32))
    if shown and longest is not None:
        print(float(tf.reduce_sum(image)))
    return image


@tf.function
def halved(image):
    return scaled(image, shown=True) / 2.0


style = scaled(tf.ones([2, 4]), longest=8.0, shown=True)
images = tf.data.Dataset.from_tensor_slices(tf.ones([3, 2, 4])).map(scaled)
totals = [tf.reduce_sum(image) for image in images]
half = halved(tf.ones([2, 4]))
