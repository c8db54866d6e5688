# Methods that came after the target, known by the kind of the object.
# tf-version: 2.15
import tensorflow as tf


class Net(tf.keras.Model):
    def call(self, x):
        return self.stateless_call([], [], x)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.build((None, 2))
model.quantize("int8")
layer = tf.keras.layers.Dense(2)
layer.enable_lora(2)
