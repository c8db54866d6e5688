# Keras traces the function that a `Lambda` layer is made of, and the loss that a model is compiled
# with, where that model is fitted: a draw in one of them is frozen.
import random

import numpy as np
import tensorflow as tf


def noisy(labels, outputs):
    noise = np.random.normal(0.0, 0.1)
    return tf.reduce_mean(tf.square(labels + noise - outputs))


class Smoothed(tf.keras.losses.Loss):
    def call(self, labels, outputs):
        kept = 1.0 - random.uniform(0.0, 0.1)
        return tf.reduce_mean(tf.square(labels * kept - outputs))


model = tf.keras.Sequential(
    [
        tf.keras.Input([3]),
        tf.keras.layers.Lambda(lambda x: x * random.uniform(0.5, 1.5)),
        tf.keras.layers.Dense(3),
    ]
)
rows = np.ones([8, 3], "float32")
model.compile("sgd", loss=noisy)
model.fit(rows, rows, verbose=0)
model.compile("sgd", loss=Smoothed())
model.fit(rows, rows, verbose=0)
