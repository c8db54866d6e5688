# What Keras hands a layer is shown before its name goes on to a part of it.
import tensorflow as tf


class First(tf.keras.layers.Layer):
    def call(self, inputs):
        print(inputs)
        inputs = inputs[0]
        return inputs * 2.0


left, right = tf.keras.Input([3]), tf.keras.Input([3])
network = tf.keras.Model([left, right], First()([left, right]))
