# The list's name, the index and the row's name may be reused: each form of the loop is mapped.
import tensorflow as tf

matrices = tf.reshape(tf.sin(tf.range(2400.0)), [600, 2, 2])
weights = tf.constant([[1.0, 2.0, 3.0], [0.5, 1.5, 2.5]])

# The product is bound to the name of the list.
products = []
for i in range(600):
    products.append(tf.matmul(matrices[i], weights))
products = tf.stack(products, axis=0)

squares = []
for matrix in matrices:  # One at a time.
    squares.append(tf.matmul(matrix, matrix))  # No transpose.
squares = tf.stack(squares)


def norms(cloud):
    found = []
    for i in range(len(cloud)):
        point = cloud[i]

        shift = point - 0.5
        # The length.
        found.append(tf.sqrt(tf.reduce_sum(tf.square(shift))))
    found = tf.convert_to_tensor(found)
    return found, tf.reduce_max(found)


def traces(cloud):
    found = []
    for i in range(len(cloud)):
        matrix = cloud[i]
        found.append(tf.linalg.trace(matrix))
    return tf.stack(found, 0)


def distances(cloud):
    return tf.stack(
        [
            tf.sqrt(
                tf.reduce_sum(tf.square(point), axis=0),
            )
            for point in cloud
        ]
    )


def clipped(cloud):
    return tf.stack([tf.einsum("ij,jk->ik", m, tf.where(m > 0.0, m, 0.0)) for m in cloud])


lengths = norms(matrices)
diagonals = traces(matrices)
far = distances(matrices)
bounded = clipped(matrices)

for i, matrix in enumerate(matrices[:2]):
    print(i, matrix.numpy())
