# Guarded by the mode, or by its exception, or on a captured value that is there.
import tensorflow as tf

limit = tf.constant(2.0)


def describe(x):
    y = tf.reduce_sum(x)
    if tf.executing_eagerly():
        return f"{y:.2f}"
    try:
        return f"{y:.2f}"
    except TypeError:
        return y.name


@tf.function
def step(x):
    describe(x)
    # The trace captures the limit, which has a value.
    name = f"{limit:.1f}"
    with tf.name_scope("below_" + name.replace(".", "_")):
        return tf.minimum(x, limit)


def as_text(x):
    return tf.constant("%.2f" % x)


@tf.function
def texts(x):
    return tf.py_function(as_text, [tf.reduce_sum(x)], tf.string)


stepped = step(tf.constant([1.0, 3.0]))
shown = texts(tf.constant([1.0, 3.0])), describe(stepped)
assert tf.reduce_all(stepped <= limit)
