# A loop of small operations on tensors of fixed shapes, run in a loop: what XLA is best at.
import tensorflow as tf


def laplacian(grid):
    rows = tf.roll(grid, 1, axis=0) + tf.roll(grid, -1, axis=0)
    columns = tf.roll(grid, 1, axis=1) + tf.roll(grid, -1, axis=1)
    return rows + columns - 4.0 * grid


@tf.function
def diffuse(grid, rate):
    for _ in tf.range(20):
        grid = grid + rate * laplacian(grid)
    return grid


grid = tf.eye(16)
rate = tf.constant(0.1)
totals = []
for frame in range(10):
    grid = diffuse(grid, rate)
    totals.append(float(tf.reduce_max(grid)))
