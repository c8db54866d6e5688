"""`predict` gives a list of arrays here."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
state_in = tf.keras.Input((3,))
mean = tf.keras.layers.Dense(1)(state_in)
spread = tf.keras.layers.Dense(1, activation="softplus")(state_in)
actor = tf.keras.Model(state_in, [mean, spread])


def sample(state, rng):
    mu, sigma = [
        output.numpy() for output in actor(state[np.newaxis, :], training=False)
    ]
    return rng.normal(mu[0, 0], sigma[0, 0])


rng = np.random.RandomState(0)
state = np.zeros(3, dtype=np.float32)
actions = []
for _ in range(4):
    action = sample(state, rng)
    actions.append(action)
    state = np.tanh(state + np.float32(action))
