# Each turn sleeps, in a helper, for longer than its operations take.
import time

import tensorflow as tf

tf.keras.utils.set_random_seed(6)
network = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])


def rest(seconds):
    time.sleep(seconds)


def monitored(count, seconds):
    shown = []
    for number in range(count):
        sample = tf.random.stateless_normal([5, 3], [6, number])
        odds = tf.nn.sigmoid(network(sample) + 0.5)
        shown.append((float(tf.reduce_min(odds)), float(tf.reduce_max(odds)), float(tf.norm(odds))))
        rest(seconds)
    return shown


shown = monitored(15, 0.002)
