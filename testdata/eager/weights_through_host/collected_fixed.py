# A comprehension over pairs that have a name, and a list that a loop fills, are loops over variables where no other code reads them.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
rng = np.random.RandomState(9)


def network():
    return tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])


class Pair:
    def __init__(self, tau):
        self.online, self.target, self.slow = network(), network(), network()
        self.online.compile("sgd", "mse")
        self.tau = tau

    def follow(self):
        for weight, target_weight in zip(self.online.weights, self.target.weights):
            target_weight.assign(self.tau * weight + (1 - self.tau) * target_weight)

    def drift(self):
        for weight, target_weight in zip(self.online.weights, self.slow.weights):
            target_weight.assign(0.01 * weight + 0.99 * target_weight)


pair, last = Pair(0.1), network()
for step in range(30):
    xs = rng.rand(8, 4).astype(np.float32)
    pair.online.train_on_batch(xs, xs[:, :2])
    pair.follow()
    pair.drift()
    for weight, target_weight in zip(pair.slow.weights, last.weights):
        target_weight.assign(weight)
print([w.round(3).tolist() for model in (pair.target, pair.slow, last) for w in model.get_weights()])
