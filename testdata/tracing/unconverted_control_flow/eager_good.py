# Eager code, guarded code and `py_function` bodies iterate over values.
import tensorflow as tf


def summary(x):
    for index, value in enumerate(x):
        if value > 2.0:
            raise ValueError(f"{index}: {value}")
    return [value * 2.0 for value in x]


@tf.function
def guarded(x):
    if tf.executing_eagerly():
        return [value for value in x][0]
    try:
        first, second = x
    except TypeError:
        first, second = x[0], x[1]
    return first + second


def on_the_host(x):
    return [value.numpy() for value in x]


@tf.function
def through_python(x):
    return tf.py_function(on_the_host, [x], tf.float32)


numbers = tf.constant([1.0, 2.0])
summary(numbers)
guarded(numbers)
through_python(numbers)
