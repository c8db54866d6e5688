# Guards that ask for the mode, or catch the failure, keep the call out of a trace.
import tensorflow as tf


def describe(x):
    if tf.executing_eagerly():
        return str(x.numpy())
    if hasattr(x, "numpy"):
        return str(x.numpy())
    try:
        return str(x.numpy())
    except (AttributeError, NotImplementedError):
        return x.name


@tf.function
def step(x):
    y = tf.square(x)
    describe(y)
    return y


class Cache:
    def __init__(self):
        self.norm = None

    @tf.function
    def scale(self, x):
        if self.norm is None:
            with tf.init_scope():
                self.norm = tf.constant(2.0).numpy()
        return x / self.norm


squared = step(tf.constant(3.0))
scaled = Cache().scale(tf.constant(4.0))
