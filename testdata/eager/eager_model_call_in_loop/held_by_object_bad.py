# The model is an attribute of an object that a name holds: a loop of the module wraps it beside itself where `__init__` alone
# sets it, and one that is loaded again is wrapped wherever it is set, so that the wrapper always is that of the model at hand.
import os
import tempfile

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(5)


def network(size):
    return tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(size)])


class Agent:
    def __init__(self):
        self.path = os.path.join(tempfile.mkdtemp(), "actor.keras")
        self.actor = network(2)
        self.critic = network(1)

    def save(self):
        self.actor.save(self.path)

    def load(self):
        self.actor = tf.keras.models.load_model(self.path)

    def act(self, state):
        return int(np.argmax(self.actor(state[None])))


agent = Agent()
agent.save()
agent.load()
state = np.array([0.5, -0.2, 0.1], np.float32)
actions, values = [], []
for step in range(60):
    actions.append(agent.act(state))
    values.append(float(agent.critic(state[None])[0, 0]))
    state = np.roll(state, 1) * np.float32(0.9 - 0.1 * actions[-1])
