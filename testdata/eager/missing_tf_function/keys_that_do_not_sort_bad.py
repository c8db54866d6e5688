"""Dicts with keys of several types: TensorFlow sorts the keys of what passes into a trace and out of it."""

import enum

import tensorflow as tf


class Part(enum.Enum):
    DATA = "data"
    SIZE = "size"


xs = tf.reshape(tf.linspace(-1.0, 1.0, 64), [32, 2])
ys = tf.reduce_sum(xs, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(2)
w = tf.Variable(tf.zeros([2, 1]))


def gives_none_as_key(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    return {"loss": loss, None: tape.gradient(loss, w)}


def takes_numbers_and_names(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(tf.matmul(batch[0], w) - batch["target"]))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


def gives_members_as_keys(x, y):
    error = tf.matmul(x, w) - y
    return {Part.DATA: tf.reduce_sum(tf.square(error)), Part.SIZE: tf.reduce_sum(tf.abs(w))}


for x, y in data:
    found = gives_none_as_key(x, y)
    w.assign_sub(0.1 * found[None])
    print(round(float(found["loss"]), 4))
    print(round(float(takes_numbers_and_names({0: x, "target": y})), 4))
    print(round(float(gives_members_as_keys(x, y)[Part.DATA]), 4))
