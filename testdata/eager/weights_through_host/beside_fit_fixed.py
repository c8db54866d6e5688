# Between two steps of an environment `fit` trains on one batch, and the weights are mixed in NumPy
# whenever there is enough to learn from, softly by default.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
rng = np.random.RandomState(0)


class Walk:
    def reset(self):
        self.at = np.zeros(3, np.float32)
        return self.at

    def step(self, action):
        self.at = self.at + rng.rand(3).astype(np.float32) * (2 * action - 1)
        return self.at, float(self.at.sum()), bool(self.at.sum() > 40), {}


def network():
    return tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])


class Agent:
    def __init__(self, tau=0.1, softly=True):
        self.online, self.target = network(), network()
        self.online.compile("sgd", "mse")
        self.tau, self.softly = tau, softly
        self.memory = []

    def learn(self):
        if len(self.memory) < 4:
            return
        states = np.array(self.memory[-4:])
        self.online.fit(states, states[:, :2], epochs=1, verbose=0)
        if self.softly:
            for weight, target_weight in zip(self.online.weights, self.target.weights):
                target_weight.assign(self.tau * weight + (1 - self.tau) * target_weight)


env = Walk()
agent = Agent()
state, done = env.reset(), False
for turn in range(9):
    if done:
        state = env.reset()
    state, reward, done, _ = env.step(turn % 2)
    agent.memory.append(state)
    agent.learn()
count = len(agent.memory)
print(count)
