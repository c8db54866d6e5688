"""What `predict` gives goes to TensorFlow only: it may as well stay there."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(6)
state_in = tf.keras.Input((3,))
mean = tf.keras.layers.Dense(2)(state_in)
spread = tf.keras.layers.Dense(2)(state_in)
actor = tf.keras.Model(state_in, [mean, spread])
critic = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4)])


def act(state):
    mu, sigma = actor(state[np.newaxis, :], training=False)
    noise = tf.random.stateless_normal([2], [1, 2])
    return tf.tanh(tf.squeeze(mu) + noise * tf.sqrt(tf.square(tf.squeeze(sigma))))


def best(state):
    values = critic(state[np.newaxis, :], training=False)
    return tf.argmax(values, axis=1)


def shifted(state):
    mu, sigma = [
        output.numpy() for output in actor(state[np.newaxis, :], training=False)
    ]
    total = mu
    total += tf.exp(sigma)
    return tf.reduce_sum(total - mu)


state = np.zeros(3, dtype=np.float32)
for _ in range(4):
    action = act(state).numpy()
    state = np.tanh(state + action.sum() + int(best(state)[0]) + float(shifted(state)))
print(np.round(state, 3))
