# `break` on a tensor needs a loop that turns in the graph: `tf.range` for `range`.
# intent: correcting
import tensorflow as tf


@tf.function
def settle(x):
    for _ in tf.range(20):
        x = x * 0.5
        if tf.reduce_max(x) < 0.1:
            break
    return x


@tf.function
def newton(target):
    root = tf.constant(1.0)
    for _ in tf.range(50):
        change = (root * root - target) / (root * 2.0)
        root = root - change
        if tf.abs(change) < 1e-6:
            break
    return root


settled = settle(tf.constant([0.5, 1.5]))
root = newton(tf.constant(2.0))
