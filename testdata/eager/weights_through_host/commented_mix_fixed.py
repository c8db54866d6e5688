# Comments and line ends within what mixes the weights stand above the loop that takes its place.
import numpy as np
import tensorflow as tf


def network():
    return tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])


class Pair:
    def __init__(self, tau):
        self.online, self.target = network(), network()
        self.online.compile("sgd", "mse")
        self.tau = tau

    def follow(self):
        # the new ones
        # keep the rest
        for weight, target_weight in zip(self.online.weights, self.target.weights):
            target_weight.assign(self.tau * weight + (1 - self.tau) * target_weight)


tf.keras.utils.set_random_seed(3)
pair = Pair(0.1)
for step in range(30):
    xs = np.ones([8, 4], np.float32)
    pair.online.train_on_batch(xs, xs[:, :2])
    pair.follow()
result = pair.target(tf.ones([1, 4]))
