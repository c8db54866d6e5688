# A name, a dtype or a structure that only one side gives: what is meant is not known.
import tensorflow as tf


@tf.function
def one_side(x):
    if tf.reduce_sum(x) > 0.0:
        sign = tf.constant(1.0)
    return x * sign


@tf.function
def nothing(x):
    found = None
    if tf.reduce_sum(x) > 0.0:
        found = tf.reduce_max(x)
    return x if found is None else found


@tf.function
def no_result(x):
    with tf.name_scope("outer"):
        if tf.reduce_sum(x) > 0.0:
            return x
    return -x


@tf.function
def chain(x):
    if tf.reduce_sum(x) > 1.0:
        return x
    elif tf.reduce_sum(x) > 0.0:
        return x * 2.0
    return -x


@tf.function
def pair(x):
    if tf.reduce_sum(x) > 0.0:
        return x, x
    return (x,)


@tf.function
def typed(x):
    if tf.reduce_sum(x) > 0.0:
        y = tf.cast(x, tf.int32)
    else:
        y = tf.cast(x, tf.float64)
    count = tf.constant(0)
    for _ in tf.range(3):
        count = tf.constant(1.5)
    return y, count, None if x[0] > 0.0 else tf.abs(x)


@tf.function
def last():
    for element in tf.data.Dataset.range(3):
        latest = element * 2
    return latest


@tf.function
def maybe_pair(x):
    if x[0] > 0.0:
        return x[0], x[0]
    return tf.reduce_sum(x)


@tf.function
def quiet(x):
    if x[0] > 0.0:
        return
    tf.print(x)
    return


@tf.function
def small(x, n):
    if x[0] > 0.0: y = tf.constant(1)
    else: y = tf.constant(1.0)
    level = 2.5
    while n > 0: level = n * 2; n -= 1
    half = tf.constant(8)
    for _ in tf.range(2): half = half / 2
    return y, level, half


values = tf.constant([0.5, 1.5])
one_side(values)
nothing(values)
no_result(values)
chain(values)
pair(values)
typed(values)
last()
small(values, tf.constant(2))
maybe_pair(values)
quiet(values)
