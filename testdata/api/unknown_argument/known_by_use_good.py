"""An optimizer that is known by its use alone may be one of TensorFlow 1, with its arguments."""

import functools

import tensorflow as tf


def update(optimizer, pairs, count):
    optimizer.apply_gradients(pairs, global_step=count)


weight = tf.Variable(1.0)
steps = tf.Variable(0, dtype=tf.int64)
made = functools.reduce(
    lambda _, make: make(0.1), [tf.compat.v1.train.GradientDescentOptimizer], None
)
update(made, [(tf.constant(1.0), weight)], steps)
print(weight.numpy())
