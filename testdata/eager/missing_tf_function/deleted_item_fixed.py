"""What `del` takes from a list moves the others."""

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))
factors = [0.5] * 20


@tf.function
def _train_step(x, factor):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0)) * factor
    w.assign_sub(0.01 * tape.gradient(loss, w))
    return loss


def train_step(x):
    return _train_step(x, tf.constant(factors[0], tf.float32))


for _ in range(9):
    del factors[0]
    print(float(train_step(tf.ones([3, 4]))))
