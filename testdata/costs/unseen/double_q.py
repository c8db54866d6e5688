"""Deep Q-learning with two networks, on a made-up corridor."""
import collections
import random

import numpy as np
import tensorflow as tf

EPISODES = 2
Move = collections.namedtuple("Move", "state action reward after done")


def build():
    return tf.keras.Sequential([
        tf.keras.layers.Dense(32, activation="relu", input_shape=(5,)),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(3),
    ])


class Agent:
    def __init__(self):
        self.net, self.target = build(), build()
        self.target.set_weights(self.net.get_weights())
        self.memory = collections.deque(maxlen=500)
        self.adam = tf.keras.optimizers.Adam(1e-3)

    def learn(self, state, action, reward, after, done):
        best = tf.argmax(self.net(after), axis=1)
        ahead = tf.reduce_sum(self.target(after) * tf.one_hot(best, 3), axis=1)
        goal = reward + 0.9 * (1.0 - done) * ahead
        with tf.GradientTape() as tape:
            told = tf.reduce_sum(self.net(state) * tf.one_hot(action, 3), axis=1)
            loss = tf.reduce_mean(tf.square(goal - told))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.adam.apply_gradients(zip(grads, self.net.trainable_variables))

    def replay(self, count=16):
        moves = random.sample(list(self.memory), count)
        state, action, reward, after, done = map(np.array, zip(*moves))
        self.learn(
            tf.constant(state, tf.float32), tf.constant(action), tf.constant(reward, tf.float32),
            tf.constant(after, tf.float32), tf.constant(done, tf.float32))


agent = Agent()
rng = np.random.default_rng(0)
for _ in range(20):
    agent.memory.append(Move(rng.normal(size=5), rng.integers(3), 0.1, rng.normal(size=5), 0.0))
for episode in range(EPISODES):
    state = rng.normal(size=5)
    for _ in range(10):
        after = 0.9 * state + 0.1 * rng.normal(size=5)
        agent.memory.append(Move(state, rng.integers(3), -abs(after).sum(), after, 0.0))
        agent.replay()
        state = after
print(agent.net.count_params())
