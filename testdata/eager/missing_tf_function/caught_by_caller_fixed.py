"""Who catches what a step's caller raises would see other exceptions of a trace: a shape that does
not fit is an `InvalidArgumentError` in eager code, and a `ValueError` while tracing."""

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


def train():
    for _ in range(9):
        print(float(train_step(tf.ones([3, 4]))))


try:
    train()
except tf.errors.InvalidArgumentError:
    print("the rows do not fit")
