# Tensors, variables and NumPy numbers are tensors in the trace, where AutoGraph converts tests.
import numpy as np
import tensorflow as tf


@tf.function
def decide(x, step):
    if step > 10:
        x = x * 2.0
    return x


def eager(x, step):
    return x * 2.0 if step > 10 else x


counter = tf.Variable(0)
x = tf.ones([2])
for step in range(50):
    counter.assign_add(1)
    decide(x, tf.constant(step))
    decide(x, counter)
    decide(x, np.int32(step))
    eager(x, step)
for index in tf.range(50):
    decide(x, index)
