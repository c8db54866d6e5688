# A layer's `call` makes layers with weights: fresh ones each time, which nobody trains.
import tensorflow as tf


class Scale(tf.keras.layers.Layer):
    def build(self, shape):
        self.factor = self.add_weight(name="factor", shape=(shape[-1],), initializer="ones")

    def call(self, x):
        return x * self.factor


class Block(tf.keras.layers.Layer):
    def call(self, x):
        norm = tf.keras.layers.BatchNormalization()
        x = tf.keras.layers.Conv2D(4, 3, padding="same")(x)
        return tf.keras.layers.ReLU()(norm(Scale()(x)))


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def call(self, x, training=False):
        x = self.block(x)
        x = tf.keras.layers.Flatten()(x)
        return tf.keras.layers.Dense(2)(x)


output = Net()(tf.ones([1, 4, 4, 1])).shape
