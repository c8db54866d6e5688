# A loss that a loop calls eagerly, and the functions of a model that is compiled and never run, are
# in no trace.
import random

import tensorflow as tf


def noisy(labels, outputs):
    return tf.reduce_mean(tf.square(labels + random.uniform(0.0, 0.1) - outputs))


def unused(labels, outputs):
    return tf.reduce_mean(labels - outputs) * random.random()


model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("sgd", loss=unused)
other = tf.keras.Sequential([tf.keras.layers.Dense(3)])
other.compile("sgd", "mse")
rows = tf.ones([8, 3])
other.fit(rows, rows, verbose=0)
losses = [float(noisy(rows, model(rows))) for _ in range(3)]
