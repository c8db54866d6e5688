# Python numbers become int32 or float32 in the graph: the start takes the dtype of the rest.
# intent: correcting
# types: loose
import tensorflow as tf


@tf.function
def total(x):
    result = 0.0
    for value in x:
        result += value
    return result


@tf.function
def positive(x):
    first = tf.constant([4.0, 5.0])[0]
    return first if tf.reduce_sum(x) > 0.0 else 0.0


@tf.function
def scaled(x):
    factor = 1.0
    if tf.reduce_max(x) > 1.0:
        factor = tf.constant(0.5)
    return x * factor


values = tf.constant([0.5, 1.5])
both = total(values)
first = positive(values)
small = scaled(values)
