# An agent fits on one row after the other in a method that its main loop calls.
import random

import numpy as np
import tensorflow as tf


class Walk:
    def __init__(self):
        self.place = 0

    def reset(self):
        self.place = 0
        return np.zeros([1, 2])

    def step(self, action):
        self.place += 1
        return np.full([1, 2], 0.1 * self.place), 1.0, self.place > 4


class Agent:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(3)])
        self.model.compile(loss="mse", optimizer="adam")
        self.memory = []

    def replay(self):
        for state, action, reward in random.sample(self.memory, 4):
            target = np.zeros([1, 3])
            target[0, action] = reward
            self.model.train_on_batch(state, target)


def main():
    env = Walk()
    agent = Agent()
    for episode in range(2):
        state = env.reset()
        done = False
        while not done:
            following, reward, done = env.step(1)
            agent.memory.append((state, 1, reward))
            state = following
            if len(agent.memory) >= 4:
                agent.replay()


if __name__ == "__main__":
    main()
