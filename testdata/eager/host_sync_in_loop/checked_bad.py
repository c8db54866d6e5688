# A test that only raises says nothing of how the loop goes on: it can be made every few steps.
import numpy as np
import tensorflow as tf

w = tf.Variable([[0.5], [-0.5]])
ROWS = tf.reshape(tf.cos(tf.range(40.0)), (20, 2))


@tf.function
def improve():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(ROWS @ w - 1.0))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


def train():
    steps = 0
    while True:
        loss = improve()
        if np.isnan(loss):
            raise ValueError("no number")
        print("step {}: {:0.3f}".format(steps, loss))
        steps += 1
        if steps == 40:
            break


train()
