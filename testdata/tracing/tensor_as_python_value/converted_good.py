# `abs`, `len`, `int`, `sorted`, tests and ranges are AutoGraph's; lists and shapes are Python's.
import tensorflow as tf


@tf.function
def converted(x):
    y = tf.square(x)
    total = tf.reduce_sum(y)
    count = len(y)
    if total > 1.0 and not total > 100.0:
        total = abs(total)
    for i in range(tf.shape(y)[0]):
        total += y[i]
    whole = int(total)
    return float(whole), sorted(y), count


@tf.function
def over_lists(x):
    parts = tf.unstack(tf.square(x))
    assert len(parts) == 2, f"{len(parts):d} parts"
    assert x.shape[0] == 2 and x.dtype in (tf.float32, tf.float64)
    assert parts is not None and x.shape.rank in [1, 2]
    widest = max(len(parts), x.shape[0])
    return sum(parts) * float(widest), any(part is None for part in parts)


@tf.function
def text(x):
    y = tf.square(x)
    tf.print(f"{y.shape[0]:>4} rows", "%s" % y.name, "{}".format(y.dtype))
    return y


numbers = converted(tf.constant([1.0, 2.0]))
summed = over_lists(tf.constant([1.0, 2.0]))
printed = text(tf.constant([1.0, 2.0]))
print(f"{float(tf.reduce_sum(printed)):.2f}", max(printed), sum(printed))
