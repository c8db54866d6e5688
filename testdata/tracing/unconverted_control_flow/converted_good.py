# Loops, tests and unpacking that AutoGraph converts, or that Python can decide.
import tensorflow as tf


@tf.function
def loops(x, n):
    total = tf.zeros([])
    for value in x:
        if value > 3.0:
            break
        total += value
    for index in range(n):
        total += tf.cast(index, tf.float32)
    while total > 100.0:
        total = total / 2.0
    for part in tf.unstack(x, num=3):
        if part < 0.0:
            continue
        total += part
    for index, batch in enumerate(tf.data.Dataset.range(3)):
        total += tf.cast(batch * index, tf.float32)
    return total


@tf.function
def comprehensions(x, flag):
    halves = [part / 2.0 for part in tf.split(x, 3)]
    pairs = [a * b for a, b in zip(tf.unstack(x), tf.unstack(x, num=3))]
    picked = [x[i] if x[i] > 0.0 else -x[i] for i in range(len(x))]
    height, width = x.shape[0], tf.shape(x)[0]
    first, *rest = halves
    if flag and x[0] > 0.0:
        first = first + 1.0
    return tf.add_n([*pairs, *picked]), height * width, first, rest


@tf.function
def chosen(x, training=None):
    if training:
        x = x * 2.0
    if x is None:
        raise ValueError("no input")
    if x.shape.rank != 1:
        raise ValueError(f"rank {x.shape.rank}")
    for row in [1, 2, 3]:
        if row > 2:
            break
        x = x + float(row)
    return x if 0.0 < x[0] < 9.0 else -x


def power(x, n):
    if n == 0:
        return tf.ones_like(x)
    return x * power(x, n - 1)


@tf.function
def counted(x):
    done = tf.constant(False)
    while not done:
        x = x * 0.5
        done = tf.reduce_max(x) < 0.1
    left = 3
    while left > 0:
        x = power(x, left)
        left -= 1
    for _ in tf.range(3):
        if x[0] > 0.0: return x
        else: return -x
    return x


@tf.function
def record(line):
    name, label = tf.io.decode_csv(line, ["", 0])
    values, places = tf.nn.top_k(tf.constant([3.0, 1.0, 2.0]), k=2)
    return tf.strings.length(name), label, values, places


@tf.function
def first_of(x):
    for value in x:
        return value
    return tf.constant(0.0)


numbers = tf.constant([1.0, 2.0, 3.0])
loops(numbers, tf.constant(3))
comprehensions(numbers, True)
chosen(numbers, training=True)
first_of(numbers)
counted(numbers)
record(tf.constant("a,3"))
