# Names that no version has: the nearest real ones are named, and no fix is offered.
# intent: correcting
import tensorflow as tf
from tensorflow.keras import layers


def transfer(batches):
    with tf.experimental.async_data_transfer():
        return [tf.experimental.tensor_slicing.split(batch, 2) for batch in batches]


def shape(x):
    sizes = tf.math.prod(tf.shape(x))
    convert = tf.data.Dataset.from_tensor_slice
    return convert(tf.arange(sizes))


model = tf.keras.Sequential([layers.Input((2,)), layers.DenseLinear(3)])
