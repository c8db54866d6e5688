# `max`, `sum`, `any`, `in` and `math` on tensors have an equal that keeps the dtype.
# intent: correcting
import math

import tensorflow as tf

temperature = tf.Variable(0.5)


@tf.function
def scale(x):
    peak = tf.reduce_max(tf.abs(x))
    rows = tf.maximum(tf.shape(x)[0], 1)
    return x / tf.maximum(peak, 1.0) / tf.cast(rows, tf.float32) * tf.minimum(temperature, 2.0)


@tf.function
def pool(x):
    y = tf.square(x)
    return tf.reduce_max(y), tf.reduce_min(y), tf.reduce_sum(y, axis=0), tf.reduce_any(y > 4.0), tf.reduce_all(y > 0.0)


@tf.function
def kind_of(x):
    code = tf.cast(tf.reduce_sum(x), tf.int32)
    if tf.reduce_any(tf.equal(code, (6, 7))):
        return tf.constant(1)
    if code > 100:
        return tf.constant(2)
    return tf.constant(3)


@tf.function
def entropy(x):
    total = tf.reduce_sum(tf.cast(x, tf.float32))
    return tf.math.log(tf.cast(total, tf.float32))


vector = tf.constant([1.0, 2.0, 3.0])
scaled = scale(vector)
pooled = pool(vector)
kinds = kind_of(vector), kind_of(vector * 50.0), kind_of(vector * 2.0)
logarithm = entropy(vector)
