"""An object that computes like a number runs code of its own when it is used."""

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))


class Factor(float):
    def __float__(self):
        return 0.5


factor = Factor(0.5)


def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0)) * factor
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


for _ in range(9):
    print(float(train_step(tf.ones([3, 4]))))
