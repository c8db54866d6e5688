# Operations of TensorFlow between the layers of a functional model, in the module and in a helper.
import tensorflow as tf


def block(inputs, width):
    hidden = tf.keras.layers.Dense(width)(inputs)
    return tf.nn.leaky_relu(hidden, alpha=0.1)


inputs = tf.keras.Input((8,))
left, right = block(inputs, 4), block(inputs, 4)
both = tf.concat([left, right], axis=-1)
shifted = both + 1.0
model = tf.keras.Model(inputs, tf.reshape(shifted, (-1, 2, 4)))
