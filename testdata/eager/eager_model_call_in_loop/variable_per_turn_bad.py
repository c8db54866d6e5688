# Each call gives the model a variable of its own, for which older versions trace anew: no fix.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
net = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])


def ask(row):
    given = tf.Variable([row], dtype=tf.float32)
    given.assign(given)
    return net(given, training=False).numpy().argmax()


best = []
for step in range(60):
    best.append(ask(np.linspace(-1.0, 0.1 * step, 4)))
