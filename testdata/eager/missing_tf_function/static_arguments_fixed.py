"""A graph needs the value of an axis, a flag or a constant while it is made: steps that give tensors there are blocked."""

import math

import tensorflow as tf

w = tf.Variable(tf.ones((3, 1)))
data = tf.data.Dataset.from_tensor_slices((tf.ones((8, 3)), tf.zeros((8, 1)))).batch(2)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    w.assign_sub(0.1 * tape.gradient(loss, w))


def along_last(x, y):
    train_step(x, y)
    return tf.nn.softmax(x, axis=tf.rank(x) - 1)


@tf.function
def as_constant_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


def as_constant(x, y):
    loss = as_constant_step(x, y)
    return tf.constant(loss)


@tf.function
def in_python_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


def in_python(x, y):
    loss = in_python_step(x, y)
    return tf.constant(math.exp(-loss))


def which_fails(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    try:
        w.assign_sub(0.1 * tape.gradient(loss, w))
    except TypeError:
        loss = -loss
    return loss


total = 0.0
for x, y in data:
    total += float(tf.reduce_sum(along_last(x, y)))
    total += float(as_constant(x, y)) + float(in_python(x, y)) + float(which_fails(x, y))
