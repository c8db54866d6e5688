# Loops that Python turns, lists of one turn, and lists that nobody reads.
import tensorflow as tf


@tf.function
def powers(x):
    found = []
    for exponent in range(4):
        found.append(x**exponent)
    for part in tf.split(x, 2):
        found.append(part)
    return tf.concat(found, axis=0)


@tf.function
def each_turn(x):
    total = tf.zeros([])
    for value in x:
        pair = []
        pair.append(value)
        pair.append(value * 2.0)
        total += tf.add_n(pair)
    return total


@tf.function
def unread(x):
    trace = []
    for value in x:
        trace.append(value)
    return tf.reduce_sum(x)


@tf.function
def heads(x):
    losses = []
    outputs = model(x)
    for key in outputs:
        losses.append(tf.reduce_mean(outputs[key]))
    return tf.add_n(losses)


def eager(x):
    rows = []
    for value in x:
        rows.append(value * 2.0)
    return tf.stack(rows)


inputs = tf.keras.Input([2])
ends = {"a": tf.keras.layers.Dense(1)(inputs), "b": tf.keras.layers.Dense(2)(inputs)}
model = tf.keras.Model(inputs, ends)
values = tf.constant([1.0, 2.0])
powers(values)
each_turn(values)
unread(values)
eager(values)
heads(tf.ones([1, 2]))
