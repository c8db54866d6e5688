# The list's name, the index and the row's name may be reused: each form of the loop is mapped.
import tensorflow as tf

matrices = tf.reshape(tf.sin(tf.range(2400.0)), [600, 2, 2])
weights = tf.constant([[1.0, 2.0, 3.0], [0.5, 1.5, 2.5]])

# The product is bound to the name of the list.
products = tf.vectorized_map(lambda row: tf.matmul(row, weights), matrices)


def of_row(matrix):  # One at a time.
    return tf.matmul(matrix, matrix)  # No transpose.


squares = tf.vectorized_map(of_row, matrices)


def norms(cloud):
    def of_row(point):
        shift = point - 0.5
        # The length.
        return tf.sqrt(tf.reduce_sum(tf.square(shift)))

    found = tf.vectorized_map(of_row, cloud)
    return found, tf.reduce_max(found)


def traces(cloud):
    return tf.vectorized_map(lambda matrix: tf.linalg.trace(matrix), cloud)


def distances(cloud):
    return tf.vectorized_map(
        lambda point: tf.sqrt(
            tf.reduce_sum(tf.square(point), axis=0),
        ),
        cloud,
    )


def clipped(cloud):
    return tf.vectorized_map(
        lambda m: tf.einsum("ij,jk->ik", m, tf.where(m > 0.0, m, 0.0)), cloud
    )


lengths = norms(matrices)
diagonals = traces(matrices)
far = distances(matrices)
bounded = clipped(matrices)

for i, matrix in enumerate(matrices[:2]):
    print(i, matrix.numpy())
