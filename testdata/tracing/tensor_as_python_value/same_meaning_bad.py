# `max`, `sum`, `any`, `in` and `math` on tensors have an equal that keeps the dtype.
# intent: correcting
import math

import tensorflow as tf

temperature = tf.Variable(0.5)


@tf.function
def scale(x):
    peak = tf.reduce_max(tf.abs(x))
    rows = max(1, tf.shape(x)[0])
    return x / max(peak, 1.0) / tf.cast(rows, tf.float32) * min(temperature, 2.0)


@tf.function
def pool(x):
    y = tf.square(x)
    return max(y), min(y), sum(y), any(y > 4.0), all(y > 0.0)


@tf.function
def kind_of(x):
    code = tf.cast(tf.reduce_sum(x), tf.int32)
    if code in (6, 7):
        return tf.constant(1)
    if bool(code > 100):
        return tf.constant(2)
    return tf.constant(3)


@tf.function
def entropy(x):
    total = tf.reduce_sum(tf.cast(x, tf.float32))
    return math.log(tf.cast(total, tf.float32))


vector = tf.constant([1.0, 2.0, 3.0])
scaled = scale(vector)
pooled = pool(vector)
kinds = kind_of(vector), kind_of(vector * 50.0), kind_of(vector * 2.0)
logarithm = entropy(vector)
