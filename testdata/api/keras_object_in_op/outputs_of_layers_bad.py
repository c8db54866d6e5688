# What a layer of one's own gives for a symbolic tensor is symbolic again, several outputs as well.
import tensorflow as tf


class Halves(tf.keras.layers.Layer):
    """Gives both halves."""

    def call(self, inputs):
        first, second = tf.split(inputs, 2, axis=-1)
        return first, second


inputs = tf.keras.Input((8,))
first, second = Halves()(inputs)
scores = tf.keras.layers.Dense(3)(first)
model = tf.keras.Model(inputs, [tf.nn.softmax(scores), second])
