# A minimiser that knows only arrays is given a thin wrapper of a traced function.
import numpy as np
import tensorflow as tf

targets = tf.constant([1.0, -2.0, 0.5], tf.float64)


@tf.function
def value_and_gradient(place):
    with tf.GradientTape() as tape:
        tape.watch(place)
        gap = place - targets
        value = tf.reduce_sum(tf.square(gap)) + 0.1 * tf.reduce_sum(tf.abs(tf.sin(gap)))
    return value, tape.gradient(value, place)


def for_arrays(place):
    value, gradient = value_and_gradient(tf.constant(place, tf.float64))
    return value.numpy(), gradient.numpy()


def minimise(function, start, turns=25, rate=0.2):
    """Go downhill; `function` gives the height and the slope as NumPy does."""
    place, heights = np.asarray(start, np.float64), []
    for _ in range(turns):
        height, slope = function(place)
        heights.append(height)
        place = place - rate * slope
    return place, heights


place, heights = minimise(for_arrays, [0.0, 0.0, 0.0])
print(round(float(heights[-1]), 3))
