# Decorated by whatever name, or called by traced code only: traced already.
import functools

import tensorflow as tf

jit = functools.partial(tf.function, jit_compile=True)
w = tf.Variable(tf.ones((3, 1)))


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = helper(x)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


def helper(x):
    # Only ever called from traced code.
    y = tf.square(x @ w)
    y = tf.exp(-y) + tf.sin(y)
    y = tf.sqrt(tf.abs(y)) * tf.cos(y)
    return tf.reduce_mean(y)


@jit
def compiled(x):
    return tf.reduce_sum(tf.square(tf.sin(x)) + tf.cos(x) * tf.exp(-x) - tf.sqrt(x))


for _ in range(20):
    step(tf.ones((2, 3)))
    compiled(tf.ones((2, 3)))
