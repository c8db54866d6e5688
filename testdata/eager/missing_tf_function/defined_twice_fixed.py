"""A function that is defined anew further down is another one there than a trace has run."""

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))


def measure(v):
    return tf.reduce_mean(tf.square(v))


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = measure(x @ w - 1.0)
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


for _ in range(9):
    print(float(train_step(tf.ones([3, 4]))))


def measure(v):
    return tf.reduce_mean(tf.square(v))


print(float(measure(w)))
