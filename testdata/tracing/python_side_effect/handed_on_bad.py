# Mechanism: an attribute that a trace sets to what it computes of it is no tensor of the next trace.
import tensorflow as tf


class Weighing(tf.keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1],), initializer="ones")

    def call(self, x):
        self.w = tf.nn.softmax(self.w)
        return x * self.w


model = tf.keras.Sequential([Weighing(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.ones([64, 2]), tf.ones([64, 1]))
