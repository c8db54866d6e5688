"""The decorator runs the step as it stands: it goes on counting outside of the trace."""

import functools

import tensorflow as tf

calls = []
w = tf.Variable(tf.ones((3, 1)))


def counted(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        result = function(*args, **kwargs)
        calls.append(function.__name__)
        return result

    return wrapper


@counted
def update(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


losses = []
for _ in range(10):
    losses.append(float(update(tf.ones((2, 3)))))
