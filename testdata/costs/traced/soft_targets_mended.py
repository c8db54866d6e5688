"""Learning to act from stored steps: the update is a graph, the slow copies follow it in Python."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

UPDATES = 40
GAMMA, TAU = 0.97, 0.01


def value_net():
    return tf.keras.Sequential([
        layers.Input((6,)),
        layers.Dense(32, activation="relu"),
        layers.Dense(32, activation="relu"),
        layers.Dense(3),
    ])


class Agent:
    def __init__(self):
        self.online, self.slow = value_net(), value_net()
        self.optimizer = tf.keras.optimizers.Adam(1e-3)
        self.update = tf.function(self._update)

    def _update(self, states, actions, rewards, following):
        best = tf.reduce_max(self.slow(following), axis=1)
        wanted = rewards + GAMMA * best
        with tf.GradientTape() as tape:
            values = self.online(states)
            chosen = tf.reduce_sum(values * tf.one_hot(actions, 3), axis=1)
            loss = tf.reduce_mean(tf.square(wanted - chosen))
        variables = self.online.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    @tf.function
    def follow(self):
        for slow, fast in zip(self.slow.variables, self.online.variables):
            slow.assign(TAU * fast + (1.0 - TAU) * slow)

    def learn(self, batch):
        loss = self.update(*batch)
        self.follow()
        return loss


draw = np.random.default_rng(4)
store = (
    draw.normal(size=(512, 6)).astype(np.float32), draw.integers(0, 3, 512),
    draw.normal(size=512).astype(np.float32), draw.normal(size=(512, 6)).astype(np.float32),
)
agent = Agent()
for turn in range(UPDATES):
    chosen = draw.integers(0, 512, 32)
    loss = agent.learn([tf.constant(part[chosen]) for part in store])
    if turn % 100 == 0:
        print(turn, float(loss))
