# The wrapped function depends on nothing of the turn: it is made before the loops.
import tensorflow as tf


def newton(x, target):
    return x - (x * x - target) / (2.0 * x)


def solve(targets):
    roots = []
    step = tf.function(newton)  # a trace for every step of every root
    for target in tf.unstack(targets):
        x = tf.constant(1.0)
        for _ in range(6):
            x = step(x, target)
        roots.append(x)
    return tf.stack(roots)


def scale_all(rows):
    out = []
    traced = tf.function(lambda r: r / tf.reduce_max(r))
    for row in tf.data.Dataset.from_tensor_slices(rows).batch(2):
        out.append(traced(row))
    return tf.concat(out, axis=0)


roots = solve(tf.constant([2.0, 3.0, 9.0]))
scaled = scale_all(tf.reshape(tf.range(1.0, 17.0), (8, 2)))
