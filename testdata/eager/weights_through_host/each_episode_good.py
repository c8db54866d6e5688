# A loop of episodes that holds the loop of the steps copies once for each episode.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
rng = np.random.RandomState(0)


class Agent:
    def __init__(self):
        self.online = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
        self.target = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
        self.online.compile("sgd", "mse")
        self.kept = []

    def follow(self):
        self.target.set_weights(self.online.get_weights())

    def act(self, state):
        self.kept.append(state)
        return int(state.sum() * 10) % 2

    def replay(self):
        rows = np.stack(self.kept[-8:])
        self.online.train_on_batch(rows, rows[:, :2])


def train(agent, episodes):
    for episode in range(episodes):
        turn, done = 0, False
        while not done:
            agent.act(rng.rand(4).astype(np.float32))
            turn += 1
            done = turn == 10
        if len(agent.kept) > 20:
            agent.replay()
        agent.follow()


agent = Agent()
train(agent, 30)
final = np.concatenate([w.ravel() for w in agent.target.get_weights()])
print(final.shape, len(agent.kept))
