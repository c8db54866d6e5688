"""The head of a loop sets an attribute on each turn."""

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))


class Config:
    def __init__(self):
        self.rate = 0.5


config = Config()


@tf.function
def _train_step(x, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0)) * rate
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


def train_step(x):
    return _train_step(x, tf.constant(config.rate, tf.float32))


for config.rate in [0.5] * 9:
    print(float(train_step(tf.ones([3, 4]))))
