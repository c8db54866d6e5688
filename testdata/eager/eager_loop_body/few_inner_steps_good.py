# Two steps of gradients, or one for each of some parts, may be part of what a caller traces.
import tensorflow as tf


def adapted(model, x, y):
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        x = x - 0.1 * tape.gradient(loss, x)
    return x


def penalties(heads, x):
    found = []
    for head in heads:
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = tf.reduce_sum(head(x))
        found.append(tape.gradient(value, x))
    return found
