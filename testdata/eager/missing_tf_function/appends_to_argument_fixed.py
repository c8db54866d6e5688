"""A list that the caller hands over grows on every call: a trace may not change its arguments, so
the tensor work moves and the list stays."""

import tensorflow as tf

w = tf.Variable(tf.ones([4, 1]))
norms = []


@tf.function
def _train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w))
    gradient = tape.gradient(loss, w)
    w.assign_sub(0.1 * gradient)
    return loss, gradient


def train_step(x, kept):
    loss, gradient = _train_step(x)
    kept.append(tf.norm(gradient))
    return loss


for _ in range(30):
    loss = train_step(tf.ones([2, 4]), norms)
print(float(loss), len(norms), float(norms[-1]))
