import tensorflow as tf


@tf.function
def _helper(x):
    return x + 1.0


@tf.function
def count(n):
    return n * 2


@tf.function
def unseen(x):
    return x


def make():
    @tf.function
    def inner(x):
        return _helper(x)

    return inner


print(make()(tf.ones([2], tf.float32)), count(3))
