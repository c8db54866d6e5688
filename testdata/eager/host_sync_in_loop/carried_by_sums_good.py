# The sums that take the values are what the next turn computes with: there is no turn without them.
import numpy as np
import tensorflow as tf

matrix = tf.constant([[4.0, 1.0], [1.0, 3.0]])
right = np.array([1.0, 2.0], np.float32)


@tf.function
def product(vector):
    return tf.linalg.matvec(matrix, vector)


found = np.zeros_like(right)
residual = right.copy()
direction = residual.copy()
size = np.dot(residual, residual)
for _ in range(20):
    image = product(direction).numpy()
    step = size / (np.dot(direction, image) + 1e-12)
    found += step * direction
    residual -= step * image
    new = np.dot(residual, residual)
    direction = residual + new / (size + 1e-12) * direction
    size = new
