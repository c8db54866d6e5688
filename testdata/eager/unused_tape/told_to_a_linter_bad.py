# What the comment tells another linter holds for its own line: on a line of its own it would hold below.
import tensorflow as tf


def total_of(model):
    total = 0.0
    for i in range(100):
        with tf.GradientTape() as tape:  # pylint: disable=not-context-manager
            out = model(tf.ones([2, 4]))
        total += float(tf.reduce_sum(out))
    return total


network = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2, kernel_initializer="ones")])
result = total_of(network)
