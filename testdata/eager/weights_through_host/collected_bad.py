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
        pairs = zip(self.online.get_weights(), self.target.get_weights())
        self.target.set_weights([self.tau * new + (1 - self.tau) * old for new, old in pairs])

    def drift(self):
        new_weights, old_weights = self.online.get_weights(), self.slow.get_weights()
        mixed = []
        for new, old in zip(new_weights, old_weights):
            mixed.append((0.01 * new + 0.99 * old))
        self.slow.set_weights(mixed)


pair, last = Pair(0.1), network()
for step in range(30):
    xs = rng.rand(8, 4).astype(np.float32)
    pair.online.train_on_batch(xs, xs[:, :2])
    pair.follow()
    pair.drift()
    last.set_weights(pair.slow.get_weights())
print([w.round(3).tolist() for model in (pair.target, pair.slow, last) for w in model.get_weights()])
