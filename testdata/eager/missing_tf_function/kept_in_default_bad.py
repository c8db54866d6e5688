"""A helper's default list lives on from call to call: what it holds is state that a trace reads once."""

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))


def rate(factors=[0.01, 0.5]):
    return factors[0]


def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    w.assign_sub(rate() * tape.gradient(loss, w))
    return loss


for _ in range(9):
    print(float(train_step(tf.ones([3, 4]))))
