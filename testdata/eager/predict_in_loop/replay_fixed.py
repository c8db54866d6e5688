# What is reset and stepped is an environment: `predict` for each of its steps sets up a data set each
# time, on whole batches too, in what the loop of the steps calls.
import numpy as np
import tensorflow as tf


class Walk:
    def __init__(self):
        self.random = np.random.RandomState(1)

    def reset(self):
        return np.zeros(4, "float32")

    def step(self, action):
        state = self.random.rand(4).astype("float32")
        return state, float(action), state[0] > 0.9


class Agent:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
        self.model.compile("sgd", "mse")
        self.memory = []

    def learn(self):
        states = np.array([state for state, _ in self.memory[-8:]])
        targets = self.model(states, training=False).numpy()
        targets[:, 0] = [reward for _, reward in self.memory[-8:]]
        self.model.train_on_batch(states, targets)


def play(episodes):
    game, agent = Walk(), Agent()
    for _ in range(episodes):
        state, done = game.reset(), False
        while not done:
            following, reward, done = game.step(1)
            agent.memory.append((state, reward))
            agent.learn()
            state = following
    return agent


agent = play(2)
count = len(agent.memory)
