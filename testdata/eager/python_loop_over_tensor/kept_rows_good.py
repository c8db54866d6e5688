# A few rows, rows of unknown number in code that runs once, rows that Python needs, results that a
# trace maps, and maps that a tf.function calls are left alone.
import numpy as np
import tensorflow as tf

rows = tf.random.stateless_normal([200, 8], seed=[1, 2])
few = [tf.reduce_sum(row) for row in rows[:3]]
fewer = np.array([tf.reduce_sum(row).numpy() for row in rows[:20]])
maps = tf.map_fn(tf.reduce_sum, rows[:10])
once = tf.vectorized_map(tf.reduce_sum, rows)
lists = [tf.reduce_sum(part) for part in tf.split(rows, 100)]


@tf.function
def mapped(x):
    return tf.map_fn(tf.reduce_sum, x)


def unknown(tensor):
    return np.array([tf.reduce_sum(row).numpy() for row in tensor])


def scaled(x):
    return [row * factor for row, factor in zip(x, range(2))]


for turn in range(100):
    total = mapped(rows)
out = [few, fewer, maps, once, lists, unknown(tf.boolean_mask(rows, rows[:, 0] > 0.0)), scaled(rows)]
