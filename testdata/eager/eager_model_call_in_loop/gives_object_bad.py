"""A policy gives an object of the project's own, which no trace gives back: both belong into one."""

import numpy as np
import tensorflow as tf


class Normal:
    def __init__(self, mean, scale):
        self.mean = mean
        self.scale = scale

    def mode(self):
        return self.mean


class Policy(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(8, activation="tanh")
        self.out = tf.keras.layers.Dense(2)

    def call(self, states):
        return Normal(self.out(self.hidden(states)), tf.constant(0.5))


def run(policy, states):
    actions = []
    for state in states:
        actions.append(policy(state[None]).mode().numpy())
    return actions


run(Policy(), np.ones([100, 4], np.float32))
