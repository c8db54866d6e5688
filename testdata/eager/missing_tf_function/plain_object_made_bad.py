"""An object that a step makes and keeps to itself keeps it from no trace, whatever attributes it begins with."""

import tensorflow as tf


class Normal:
    def __init__(self, mean, scale):
        self.mean = mean
        self.scale = scale

    def log_prob(self, x):
        return -0.5 * tf.square((x - self.mean) / self.scale) - tf.math.log(self.scale)


class Head:
    def distribution(self, features):
        return Normal(features[:, :1], tf.nn.softplus(features[:, 1:]) + 0.5)


head = Head()


def surprise(features, actions):
    prior = Normal(tf.zeros_like(actions), tf.ones_like(actions))
    likely = head.distribution(features).log_prob(actions)
    return tf.reduce_mean(tf.exp(likely) - prior.log_prob(actions))


def watch(batches):
    found = []
    for features, actions in batches:
        found.append(surprise(features, actions))
    return tf.stack(found)


if __name__ == "__main__":
    rows = tf.reshape(tf.sin(tf.range(256.0)), [128, 2])
    data = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).batch(2)
    print(watch(data).numpy())
