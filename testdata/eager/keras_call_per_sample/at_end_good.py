# What `while not done` runs below `if done` is run on the last turn alone, as is what leaves the loop: the
# agent fits once for each episode.
import numpy as np
import tensorflow as tf


class Walk:
    def __init__(self):
        self.random = np.random.RandomState(1)

    def reset(self):
        return np.zeros(4, "float32")

    def step(self, action):
        state = self.random.rand(4).astype("float32")
        return state, float(action), state[0] > 0.7


class Agent:
    def __init__(self):
        self.env = Walk()
        self.model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
        self.model.compile("sgd", "mse")
        self.states, self.rewards = [], []

    def learn(self):
        states, rewards = np.array(self.states), np.array(self.rewards)
        self.model.fit(states, rewards, epochs=1, verbose=0)
        self.states, self.rewards = [], []

    def run(self, episodes):
        for _ in range(episodes):
            state, done = self.env.reset(), False
            while not done:
                self.states.append(state)
                state, reward, done = self.env.step(1)
                self.rewards.append(reward)
                if done:
                    self.learn()

    def run_to_the_end(self, episodes):
        for _ in range(episodes):
            state = self.env.reset()
            for _ in range(200):
                self.states.append(state)
                state, reward, done = self.env.step(1)
                self.rewards.append(reward)
                if done:
                    self.learn()
                    break


agent = Agent()
agent.run(2)
agent.run_to_the_end(2)
