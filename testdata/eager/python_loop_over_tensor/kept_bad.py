"""The list, or its order, is wanted besides the stack, so that the loop has to stay."""

import tensorflow as tf

matrices = tf.reshape(tf.sin(tf.range(2400.0)), [600, 2, 2])

kept = []
for matrix in matrices:
    kept.append(tf.matmul(matrix, matrix))
stacked = tf.stack(kept)


def counted(cloud):
    found = []
    for matrix in cloud:
        found.append(tf.linalg.trace(matrix))
    print(len(found))
    found = tf.stack(found)
    return found


def first(cloud, whole):
    found = []
    for matrix in cloud:
        found.append(tf.linalg.trace(matrix))
    stack = tf.stack(found)
    if whole:
        found = stack
    return found[0]


def columns(cloud):
    return tf.stack([tf.linalg.trace(matrix) for matrix in cloud], axis=-1)


def commented(cloud):
    found = []  # One each.
    for matrix in cloud:
        found.append(tf.linalg.trace(matrix))
    return tf.stack(found)


def selected(cloud):
    above = tf.stack([tf.reduce_sum(tf.boolean_mask(m, tf.greater(m, 0.0))) for m in cloud])
    positive = tf.stack([tf.reduce_sum(m[m > 0.0]) for m in cloud])
    return above, positive, tf.stack([tf.size(tf.where(m > 0.0)) for m in cloud])


def sized(cloud):
    found = []
    for matrix in cloud:
        size = tf.cast(tf.abs(matrix[0, 0]) * 2.0, tf.int32)
        found.append(tf.reduce_sum(matrix[:size]) + tf.reduce_sum(tf.zeros([size])))
    return tf.stack(found)


shapes = selected(matrices), sized(matrices)
results = counted(matrices), first(matrices, False), columns(matrices), commented(matrices)


def measured(cloud):
    found = []
    for matrix in cloud:
        found.append(tf.linalg.trace(matrix))
    return tf.stack(found), len(found)


trace_count = measured(matrices)
