# Python code, prints and loops over datasets have no kernel at all.
# intent: correcting
import numpy as np
import tensorflow as tf

numbers = tf.data.Dataset.range(3)


def spectrum(x):
    return np.abs(np.fft.rfft(x)).astype(np.float32)


@tf.function(jit_compile=True, autograph=True)
def loudness(x):
    power = tf.numpy_function(spectrum, [x], tf.float32)
    if tf.reduce_max(power) > 2.0:
        tf.print("loud")
    return tf.reduce_sum(power)


@tf.function(jit_compile=True)
def total():
    result = tf.constant(0, tf.int64)
    for number in numbers:
        result += number
    return result


level = loudness(tf.constant([0.0, 1.0, 0.0, -1.0]))
summed = total()
