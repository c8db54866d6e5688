# A long `range` whose body keeps its dtypes and shapes may turn in the graph.
import tensorflow as tf


@tf.function
def decay(x):
    for _ in range(500):
        x = x * 0.999 + 0.001
    return x


def slope(position):
    return -tf.sin(position)


@tf.function
def swing(position, velocity):
    step = 0.01
    for _ in range(120):
        k1 = slope(position)
        k2 = slope(position + velocity * (0.5 * step))
        velocity = velocity + (k1 + k2) * (0.5 * step)
        position = position + step * velocity
    return position, velocity


@tf.function
def smoothed(signal):
    level = tf.zeros([], tf.float32)
    for t in range(1, 502):
        level += 0.1 * (signal[t] - signal[t - 1])
        level *= 0.5
    return level


settled = decay(tf.constant([1.0, 2.0]))
angle, speed = swing(tf.constant([0.1, 0.2]), tf.constant([0.0, 0.1]))
trend = smoothed(tf.ones([502]))
