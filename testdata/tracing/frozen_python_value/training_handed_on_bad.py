# Keras hands `training` on to the layers within a layer, also where the call does not pass it: the
# default does not say that the draw is never reached.
import numpy as np
import tensorflow as tf


class Scaled(tf.keras.layers.Layer):
    def call(self, x, training=None):
        if training:
            x = x * np.random.uniform(0.5, 1.5)
        return x


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.scaled = Scaled()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.dense(self.scaled(x))


net = Net()
net.compile("sgd", "mse")
net.fit(np.ones([8, 3], "float32"), np.ones([8, 1], "float32"), verbose=0)
