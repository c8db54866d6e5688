# A model that calls what nobody knows here: the report names that instead of advising a trace.
import os

import numpy as np
import tensorflow as tf


class Scaled(tf.keras.Model):
    def __init__(self, name):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2, kernel_initializer="ones")
        self.bend = getattr(tf.math, name)

    def call(self, inputs):
        return self.bend(self.dense(inputs))


model = Scaled(os.environ.get("BEND", "tanh"))
state = np.ones(4, dtype=np.float32)

for step in range(50):
    values = model(state[None])
    state = np.roll(state, 1) + values.numpy().max()
