# The shapes, the loops and the handlers here need another design, not another word.
import functools
import itertools

import tensorflow as tf


@tf.function
def kept(x):
    large = tf.boolean_mask(x, x > 1.0)
    return [value * 2.0 for value in large], any(value > 2.0 for value in x)


@tf.function
def first_large(x):
    for value in x:
        if value > 1.0:
            return value
    return tf.constant(0.0)


@tf.function
def settle(x):
    for _ in range(20):
        x = tf.concat([x[1:], x[:1] * 0.5], axis=0)
        if tf.reduce_max(x) < 0.1:
            break
    return x


@tf.function
def shrink(x):
    while True:
        x = x * 0.5
        if tf.reduce_max(x) < 0.1:
            return x


@tf.function
def inverse(matrix):
    try:
        return tf.linalg.inv(matrix)
    except tf.errors.InvalidArgumentError:
        return tf.linalg.pinv(matrix)


@tf.function
def sum_of_first(x):
    batches = iter(tf.data.Dataset.range(3))
    total = x
    try:
        for _ in range(5):
            total += next(batches)
    except StopIteration:
        total = -total
    return total


@tf.function
def backwards(x):
    pairs = functools.reduce(tf.add, x)
    for value in reversed(tf.boolean_mask(x, x > 1.0)):
        pairs -= value
    return tf.add(*x[:2]) + pairs


@tf.function
def named(x):
    if (count := len(x.shape)) > 0 and tf.reduce_sum(x) > 0.0:
        return x * float(count)
    y = x if x[0] > 0.0 else -x
    return y


class Gate(tf.keras.layers.Layer):
    def call(self, inputs):
        if tf.reduce_mean(inputs) > 0.0:
            return inputs
        return tf.zeros_like(inputs)


gate = Gate()


@tf.function
def gated(x):
    return gate(x)


@tf.function
def rows(x):
    return tf.vectorized_map(lambda row: row if tf.reduce_sum(row) > 0.0 else -row, x)


def factorial(n):
    if n <= 1:
        return tf.constant(1)
    return n * factorial(n - 1)


@tf.function
def until_small(x):
    done = False
    while not done:
        x = x * 0.5
        done = tf.reduce_max(x) < 0.1
    return x, factorial(tf.size(x))


@tf.function
def default(n):
    steps = n or tf.constant(5)
    return tf.add_n(list(itertools.chain(tf.range(3), [steps])))


values = tf.constant([0.5, 1.5, 2.5])
kept(values)
first_large(values)
settle(values)
shrink(values)
inverse(tf.ones([2, 2]))
sum_of_first(tf.constant(0, tf.int64))
backwards(values)
named(values)
gated(values)
rows(tf.ones([2, 2]))
default(tf.constant(0))
until_small(values)
