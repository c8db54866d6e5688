# Each turn puts a model of its own together, from layers that a helper makes.
import tensorflow as tf


def body(size):
    return tf.keras.Sequential([tf.keras.layers.Dense(size), tf.keras.layers.Dense(1)])


def q_function(size, names):
    inputs = {name: tf.keras.Input([3]) for name in names}
    out = tf.keras.layers.Concatenate()(tf.nest.flatten(inputs))
    core = body(size)
    return tf.keras.Model(inputs, core(out))


def ensemble(number, make, *args):
    return tuple(make(*args) for _ in range(number))


functions = ensemble(12, q_function, 4, ["state", "action"])
