# The model is made here or loaded, so that nobody knows what it gives: `predict_on_batch` gives the same
# as `predict`, of one array or, to a model made for a list, a list of them.
import os
import tempfile

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


def head():
    state, action = tf.keras.Input([3]), tf.keras.Input([1])
    joined = tf.keras.layers.Concatenate()([state, action])
    outputs = [tf.keras.layers.Dense(1)(joined) for _ in range(2)]
    return tf.keras.Model([state, action], outputs)


class Agent:
    def __init__(self, shape):
        self.path = os.path.join(tempfile.mkdtemp(), "policy.keras")
        self.policy = tf.keras.Sequential([tf.keras.Input(shape), tf.keras.layers.Dense(2)])
        self.critics = head()

    def save(self):
        self.policy.save(self.path)

    def load(self):
        self.policy = tf.keras.models.load_model(self.path)

    def act(self, observation):
        return int(np.argmax(self.policy.predict(observation[np.newaxis], verbose=0)[0]))

    def judge(self, state, action):
        values = self.critics.predict([state.reshape(1, 3), np.full((1, 1), action)], verbose=0)
        return min(float(value[0, 0]) for value in values)


agent = Agent([3])
agent.save()
agent.load()
state = np.array([0.3, -0.1, 0.8], np.float32)
actions, judged = [], []
for _ in range(8):
    actions.append(agent.act(state))
    judged.append(agent.judge(state, actions[-1]))
    state = np.roll(state, 1) * np.float32(0.9 - actions[-1] * 0.2)
