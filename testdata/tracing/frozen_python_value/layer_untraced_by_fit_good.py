# A layer that tells Keras 2 to leave it untraced: `fit` runs its `call` in Python, which draws each time.
# tf-version: 2.15
import numpy as np
import tensorflow as tf


class Jittered(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__(dynamic=True)

    def call(self, x):
        return x + np.random.normal(0.0, 0.1)


def train(rows, sums):
    model = tf.keras.Sequential([Jittered(), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(rows, sums, verbose=0)
