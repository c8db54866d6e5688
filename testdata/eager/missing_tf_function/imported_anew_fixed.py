"""A name that imports bind to one thing and then another is no constant of the step."""

from math import pi as factor

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0)) * factor
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


for _ in range(9):
    print(float(train_step(tf.ones([3, 4]))))

from math import tau as factor
