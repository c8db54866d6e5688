"""Lists that a loop fills: the operations are there for the whole tensor, so no fix is needed."""

import tensorflow as tf

matrices = tf.random.stateless_normal([40, 3, 3], seed=[1, 6])
weight = tf.constant([1.0, 2.0, 3.0])


def transform(matrix):
    return tf.linalg.matvec(matrix, weight)


def products():
    out = []
    for i in range(40):
        turned = tf.transpose(matrices[i])
        out.append(tf.matmul(turned, matrices[i]))
    return tf.stack(out, axis=0)


def by_column(size):
    return tf.concat([tf.cumsum(matrices[:, i]) for i in range(4, size)], axis=0)


result = products()
moved = tf.stack([transform(matrix) for matrix in matrices])
picked = tf.stack([tf.reduce_max(matrix) * n for n, matrix in enumerate(matrices)])
