"""The largest eigenvalues of a matrix, one after the other, by the power method."""
import tensorflow as tf

SWEEPS = 60
size = 40
root = tf.random.stateless_normal([size, size], [3, 4])
matrix = tf.matmul(root, root, transpose_b=True)
vector = tf.ones([size, 1])
value = tf.constant(0.0)


@tf.function
def sweep_once(vector):
    image = matrix @ vector
    length = tf.sqrt(tf.reduce_sum(tf.square(image)))
    vector = image / length
    value = tf.reduce_sum(vector * (matrix @ vector))
    return vector, value, tf.reduce_max(tf.abs(matrix @ vector - value * vector))


for sweep in range(SWEEPS):
    vector, value, error = sweep_once(vector)
print(value.numpy(), error.numpy())
