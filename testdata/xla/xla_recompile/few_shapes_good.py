# Two shapes, or two values of Python, are two compilations and no more.
import tensorflow as tf


@tf.function(jit_compile=True)
def total(x):
    return tf.reduce_sum(x)


@tf.function(jit_compile=True)
def head(x, count):
    return x[:count]


values = tf.linspace(0.0, 1.0, 10)
for size in (4, 8):
    partial = total(values[:size])
first = head(values, 3)
second = head(values, 5)
whole = total(values)
