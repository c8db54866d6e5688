"""A list that is shuffled on each turn: a trace would keep the order that it found first."""

import random

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))
factors = [0.5, 0.5]


@tf.function
def _train_step(x, factor):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0)) * factor
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


def train_step(x):
    return _train_step(x, tf.constant(factors[0], tf.float32))


for _ in range(9):
    random.shuffle(factors)
    print(float(train_step(tf.ones([3, 4]))))
