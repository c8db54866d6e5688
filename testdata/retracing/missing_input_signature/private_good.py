# Private, nested and inherited functions, and those called from traces only, need no signature.
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


@tf.function
def inside(x):
    return x * 3.0


@tf.function
def outside():
    return inside(tf.ones([2], tf.float32))


@tf.function
def run(layer, x):
    return layer(x)


class Shift(tf.keras.Model):
    @tf.function
    def call(self, x):
        return x + 1.0


def make():
    @tf.function
    def inner(x):
        return _helper(x)

    return inner


print(make()(tf.ones([2], tf.float32)), count(3), outside())
print(run(tf.keras.layers.Dense(2), tf.ones([2, 2])), Shift()(tf.ones([2, 2])))
