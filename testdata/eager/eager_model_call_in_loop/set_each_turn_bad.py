# The attribute is set anew beside each call, so that a wrapper there would be made, and traced, on each turn.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)


def make():
    return tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])


def follow(target, online):
    for weight, old in zip(online.weights, target.weights):
        old.assign(0.1 * weight + 0.9 * old)
    return target


class Agent:
    def __init__(self):
        self.online = make()
        self.slow = make()

    def act(self, state):
        return self.slow(state)

    def train(self, steps):
        found = []
        for step in range(steps):
            found.append(self.act(np.full((1, 4), step, np.float32)))
            self.slow = follow(self.slow, self.online)
        return found


agent = Agent()
print(len(agent.train(40)))
