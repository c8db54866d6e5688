# What sets up an object may run a model to build it: what makes one on each turn is no step for that.
import tensorflow as tf


class Policy(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(units, "tanh")
        self.mean = tf.keras.layers.Dense(2)
        first = self.call(tf.zeros([1, 4]))
        near, far = tf.square(first) + tf.abs(first), tf.exp(first) * 2.0
        self.start = tf.reduce_mean(near) + tf.reduce_max(far)

    def call(self, states):
        return self.mean(self.hidden(states))


class Agent:
    def __init__(self, units):
        self.policy = Policy(units)
        self.target = Policy(units)


def make(units):
    return Agent(units)


agents = []
for i in range(20):
    agents.append(make(8 + i))
