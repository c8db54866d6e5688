# Lists and dicts that the trace itself makes are changed within it: no effect outside.
import tensorflow as tf


@tf.function
def powers(x):
    found = []
    table = {}
    for exponent in range(3):
        found.append(x**exponent)
        table[exponent] = found[-1]

    def extend(value):
        found.append(value)

    extend(x)
    return tf.stack(found), table


def helper(values, extra):
    values.append(extra)
    return values


@tf.function
def through_a_helper(x):
    return tf.stack(helper([x], x + 1.0))


stacked, table = powers(tf.constant(2.0))
helped = through_a_helper(tf.constant(1.0))
