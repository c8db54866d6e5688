"""The list and the factor change before the first call of the traced function and after the last one:
every call finds what the trace has kept."""

import tensorflow as tf

layers = []
factor = 1.0


def add(size):
    layers.append(tf.Variable(tf.ones([size])))


for _ in range(3):
    add(4)
factor = factor * 2.0


@tf.function
def total(x):
    return factor * tf.add_n([layer * x for layer in layers])


for turn in range(5):
    result = total(tf.fill([4], float(turn)))

layers.clear()
factor = 0.0
