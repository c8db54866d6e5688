# What comes first is the name still, is no name, or is the shape that Keras 3 takes first.
import tensorflow as tf


class Scaled(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.scale = self.add_weight(shape=[input_shape[-1]], initializer="ones", name="scale")
        self.shift = self.add_weight([input_shape[-1]], initializer="zeros")

    def call(self, inputs):
        return inputs * self.scale + self.shift


class Plain:
    def add_weight(self, name, shape):
        return tf.Variable(tf.zeros(shape), name=name)


mean = tf.keras.metrics.Mean("mean")
mean.update_state(Scaled()(tf.ones([2, 3])))
print(float(mean.result()), Plain().add_weight("weight", [3]).shape)
