# Keras gives the code of layers, models and `Lambda` functions a tensor of a graph.
import tensorflow as tf


def gated(values):
    return values * tf.sigmoid(values)


class Gate(tf.keras.layers.Layer):
    """Multiplies by a sigmoid."""

    def call(self, pair):
        left, right = pair
        return gated(left) + tf.nn.relu(right)


inputs = tf.keras.Input((8,))
left = tf.keras.layers.Dense(4, activation=tf.nn.relu)(inputs)
right = tf.keras.layers.Lambda(lambda values: tf.square(values[:, :4]))(inputs)
gate = Gate()([left, right])
scores = tf.keras.layers.Lambda(gated)(gate) * 2.0 - gate
model = tf.keras.Model(inputs, tf.keras.ops.softmax(tf.keras.activations.relu(scores)))
tf.print(tf.reduce_sum(model(tf.ones([2, 8]))))
assert tf.is_tensor(model(tf.ones([2, 8])))
