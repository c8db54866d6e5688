"""A list of two inputs goes into a model of layers that is made for it, by `predict` and by a call."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
state_in, action_in = tf.keras.Input((2,)), tf.keras.Input((1,))
joined = tf.keras.layers.Concatenate()([state_in, action_in])
critic = tf.keras.Model([state_in, action_in], tf.keras.layers.Dense(1)(joined))

state = np.array([0.1, -0.2])
values = []
for step in range(6):
    s = state.reshape(1, 2)
    a = np.array([[0.5 * step]])
    values.append(float(critic.predict([s, a], verbose=0)[0, 0]))
    state = 0.9 * state
