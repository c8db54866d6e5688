"""The one loop in sight runs the layer eagerly, where NumPy draws anew on each turn."""

import numpy as np
import tensorflow as tf


class Jittered(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.start = np.random.normal(0.0, 0.1)

    def call(self, x):
        return x + np.random.normal(0.0, 0.1)


layer = Jittered()
total = tf.zeros([2])
for turn in range(20):
    total += layer(tf.ones([2]))
shape = total.shape
print(shape)
