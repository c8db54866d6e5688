# Sorting, reversing and `setdefault` change a container in place, as `insert` does.
import tensorflow as tf

thresholds = [0.9, 0.1, 0.5]
weights = {"low": 1.0}
order = [3.0, 2.0, 1.0]


@tf.function
def lowest(x):
    return x * thresholds[0]


@tf.function
def weighted(x):
    return x * float(len(weights))


@tf.function
def first(x):
    return x + order[0]


before = (lowest(tf.constant(2.0)), weighted(tf.constant(2.0)), first(tf.constant(2.0)))
thresholds.sort()
weights.setdefault("high", 2.0)
order.reverse()
after = (lowest(tf.constant(2.0)), weighted(tf.constant(2.0)), first(tf.constant(2.0)))
