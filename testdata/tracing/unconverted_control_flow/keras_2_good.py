# Up to Keras 2 the `call` of a layer is converted: the target decides.
# tf-version: 2.15
import tensorflow as tf


class Gate(tf.keras.layers.Layer):
    def call(self, inputs):
        if tf.reduce_mean(inputs) > 0.0:
            return inputs
        return tf.zeros_like(inputs)


gate = Gate()


@tf.function
def gated(x):
    return gate(x)


gated(tf.constant([1.0, 2.0]))
