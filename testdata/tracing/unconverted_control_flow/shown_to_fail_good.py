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
def left(x):
    for i in range(5):
        x += 1
        if x > 3:
            break
    return x


with raising(NotImplementedError), raising(TypeError), raising(ValueError):
    left(tf.constant(0))
