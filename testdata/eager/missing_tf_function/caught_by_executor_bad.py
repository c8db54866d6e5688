"""A future keeps what the step raises, and a trace raises other exceptions."""

from concurrent.futures import ThreadPoolExecutor

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))


def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


def train():
    for _ in range(9):
        print(float(train_step(tf.ones([3, 4]))))


with ThreadPoolExecutor(1) as executor:
    print(executor.submit(train).exception())
