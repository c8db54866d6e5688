# Windows that move, and parts that fill each other up, have one shape on every turn.
import numpy as np
import tensorflow as tf

BATCH, LENGTH = 4, 64


@tf.function
def total(x):
    return tf.reduce_sum(x)


for i in range(12):
    total(tf.range(i * BATCH, i * BATCH + BATCH))
    total(np.arange(i, i + 10))
    total(tf.range(i, limit=i + 3))
for n in range(1, 12):
    total(tf.concat([tf.ones([n]), tf.zeros([LENGTH - n])], 0))
    total(np.concatenate([np.ones(n), np.zeros(LENGTH - n)]))
    tokens = list(range(n)) + [0] * (LENGTH - n)
    total(np.array(tokens))
    total(tf.zeros([max(n, LENGTH)]))
    total(tf.zeros([n // 100 + 1]))
    total(tf.zeros([min(n, 1)]))
