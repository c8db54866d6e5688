# The gradients of all rows, stacked in order, are the jacobian: three forms of the loop.
import tensorflow as tf

x = tf.Variable([0.5, 1.0, 1.5, 2.0, 2.5])


def comprehension():
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reshape(x * tf.reduce_sum(tf.sin(x)), [5])
        return tf.stack([tape.gradient(y[i], x) for i in range(5)])


def unstacked():
    with tf.GradientTape(persistent=True) as tape:
        y = tf.square(x)
        parts = tf.unstack(y)
    return tf.stack([tape.gradient(part, x) for part in parts])


def loop(v):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(v)
        y = tf.reshape(tf.reduce_prod(v) / v, [-1])
        # Row by row.
        rows = []
        for i in range(len(y)):
            rows.append(tape.gradient(y[i], v))
        jacobian = tf.stack(rows)
    return jacobian


results = [comprehension(), unstacked(), loop(tf.constant([1.0, 2.0, 3.0, 4.0]))]
