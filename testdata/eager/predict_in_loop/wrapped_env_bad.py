# A method that takes one step makes the loop that calls it one of the steps of an environment: what
# learns there asks for a prediction on each of them.
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
        self.env = Walk()
        self.model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
        self.model.compile("sgd", "mse")
        self.memory = []

    def step(self, action):
        state, reward, done = self.env.step(action)
        return 2 * state, reward, done

    def learn(self):
        states = np.array([state for state, _ in self.memory[-8:]])
        targets = self.model.predict(states, verbose=0)
        targets[:, 0] = [reward for _, reward in self.memory[-8:]]
        self.model.train_on_batch(states, targets)

    def run(self, episodes):
        for _ in range(episodes):
            state, done = self.env.reset(), False
            while not done:
                following, reward, done = self.step(1)
                self.memory.append((state, reward))
                self.learn()
                state = following


agent = Agent()
agent.run(2)
count = len(agent.memory)
