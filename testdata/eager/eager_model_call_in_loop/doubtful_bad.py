# A model that calls what nobody knows here: the report names that instead of advising a trace.
import os

import numpy as np
import tensorflow as tf


class Scaled(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2, kernel_initializer="ones")

    def call(self, inputs):
        return bend(self.dense(inputs))


bend = getattr(tf.math, os.environ.get("BEND", "tanh"))
model = Scaled()
state = np.ones(4, dtype=np.float32)

for step in range(50):
    values = model(state[None])
    state = np.roll(state, 1) + values.numpy().max()
