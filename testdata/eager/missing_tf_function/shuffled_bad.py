"""A list that other code is handed may change there."""

import random

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))
factors = [0.5, 0.5]


def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0)) * factors[0]
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


for _ in range(9):
    random.sample(factors, 2)
    print(float(train_step(tf.ones([3, 4]))))
