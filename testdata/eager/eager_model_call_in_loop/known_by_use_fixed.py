"""The model comes out of what nobody can follow; that it has trainable variables says what it is."""

import functools

import tensorflow as tf


def build():
    return tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])


def count(model):
    return sum(int(tf.size(variable)) for variable in model.trainable_variables)


def run(model, rows):
    total = 0.0
    traced_model = tf.function(model, reduce_retracing=True)
    for _ in range(100):
        total += float(tf.reduce_sum(traced_model(rows)))
    return total, len(model.trainable_variables)


tf.random.set_seed(1)
made = functools.reduce(lambda made, make: make(), [build], None)
print(count(made))
print(run(made, tf.ones([2, 4])))
