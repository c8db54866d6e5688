# Branches that agree, names read on no path, Python's own tests, and declared invariants.
import tensorflow as tf


@tf.function
def branches(x, flag=True):
    if tf.reduce_sum(x) > 0.0:
        y = tf.zeros([2])
        unused = 1
    else:
        y = tf.zeros([3])
        unused = tf.constant(2.0)
    if flag:
        label = x
    else:
        label = None
    scale = 0.0
    if x[0] > 0.0:
        scale = x[0]
    if x[0] > 1.0:
        unused = None
    if tf.reduce_any(x > 5.0):
        tf.print("large")
    elif x[0] > 4.0:
        scale = scale * 2.0
    return y, scale, label, (x, 1) if x[0] > 0.0 else (-x, 2)


@tf.function
def early(x):
    if x[0] > 3.0:
        return x
    if x[0] > 2.0:
        y = x * 2.0
        if x[1] > 0.0:
            return y
        return -y
    else:
        z = x + 1.0
    return x


@tf.function
def loops(x, n):
    total = 0.0
    count = 0
    best = None
    grown = tf.zeros([1])
    for value in x:
        total += value
        count += 1
        best = value if best is None else tf.maximum(best, value)
    for _ in tf.range(n):
        tf.autograph.experimental.set_loop_options(
            shape_invariants=[(grown, tf.TensorShape([None]))]
        )
        grown = tf.concat([grown, [1.0]], 0)
        last = total * 2.0
    for _ in range(3):
        grown = tf.concat([grown, [2.0]], 0)
    return total, count, best, grown, last


values = tf.constant([0.5, 1.5])
branches(values)
early(values)
loops(values, tf.constant(2))
