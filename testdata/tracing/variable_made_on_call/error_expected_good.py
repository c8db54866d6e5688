# Every call expects the error by its name: the function is there to show it.
import contextlib

import tensorflow as tf


@contextlib.contextmanager
def expecting(error):
    try:
        yield
    except error:
        return


@tf.function
def grown(x):
    return x + tf.Variable(2.0)


@tf.function
def scaled(x):
    factor = tf.Variable(3.0)
    return x * factor


messages = []
try:
    grown(tf.constant(1.0))
except ValueError as error:
    messages.append(str(error)[:20])
with expecting(ValueError):
    scaled(tf.constant(2.0))
    messages.append("not reached")
