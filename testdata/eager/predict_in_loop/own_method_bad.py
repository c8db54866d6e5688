# The model has a `predict_on_batch` of its own, which does something else, and nobody knows what its `call` gives: no fix.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)


class Heads(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.heads = [tf.keras.layers.Dense(1), tf.keras.layers.Dense(2)]

    def call(self, x):
        return [head(x) for head in self.heads]

    def predict_on_batch(self, x):
        return [float(tf.reduce_mean(output)) for output in self(x)]


model = Heads()
state = np.array([0.2, -0.4, 0.6], np.float32)
sizes = []
for turn in range(40):
    first, second = model.predict(state[None], verbose=0)
    sizes.append((first.shape, second.shape))
    state = np.roll(state, 1) * np.float32(0.9)
