# A turn that trains on a batch by itself is a step, though a loop of a few operations makes the batch.
import numpy as np
import tensorflow as tf

w = tf.Variable([[0.5], [-0.5]])


@tf.function
def improve(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


def pictures(step, count):
    for number in range(count):
        yield np.array([np.cos(step + number), np.sin(step - number)], np.float32)


def train(count):
    for step in range(100):
        rows = []
        for picture in pictures(step, count):
            rows.append(tf.abs(tf.constant(picture)) + 0.5)
        loss = improve(tf.stack(rows))
        print("step %d: %.3f" % (step, loss))


train(12)
