# An array of a list filled until a flag ends the inner loop has a length of its own.
import numpy as np
import tensorflow as tf

baseline = tf.Variable(0.0)
coin = np.random.default_rng(3)


class Walk:
    def reset(self):
        self.place = 2.0
        return self.place

    def step(self, move):
        self.place += move
        return self.place, 1.0, not 0.0 < self.place < 5.0


def learn(rewards):
    baseline.assign(0.9 * baseline + 0.1 * tf.reduce_sum(rewards))
    return baseline.read_value()


learn_step = tf.function(learn, reduce_retracing=True)


def train(walk):
    for episode in range(20):
        rewards, places = [], []
        place, done = walk.reset(), False
        while not done:
            place, reward, done = walk.step(coin.choice([-1.0, 1.0]))
            rewards.append(reward)
            places.append(place)
        learn_step(np.array(rewards, np.float32))
    return float(baseline)


print(train(Walk()))
