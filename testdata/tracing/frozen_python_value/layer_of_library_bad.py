# Nothing here runs the layers: whoever fits a model of them has Keras trace `call`, and what it calls.
# That it trains is Keras' own saying, and needs no caller.
import numpy as np
import tensorflow as tf


class Dropped(tf.keras.layers.Layer):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def call(self, x, training=None):
        if training and np.random.uniform() < self.rate:
            return tf.zeros_like(x)
        return self.jittered(x)

    def jittered(self, x):
        return x + np.random.normal(0.0, 0.1)
