# What is called to show that it fails is meant as it stands.
import contextlib

import tensorflow as tf


@contextlib.contextmanager
def raising(error):
    try:
        yield
    except error as caught:
        print("raises", type(caught).__name__)


@tf.function
def grown():
    x = tf.ones([0, 10])
    for _ in tf.range(5):
        x = tf.concat([x, tf.ones([1, 10])], axis=0)
    return x


with raising(ValueError):
    grown()
