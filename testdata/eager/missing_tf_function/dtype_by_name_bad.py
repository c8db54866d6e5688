# What names a dtype is Python's, and the same in a trace.
import numpy as np
import tensorflow as tf

weights = tf.Variable(tf.ones([4, 2]))
PRECISION = "float32"


def step(x, lengths):
    mask = tf.sequence_mask(lengths, maxlen=4, dtype=tf.as_dtype(PRECISION))
    with tf.GradientTape() as tape:
        hidden = tf.tanh(tf.matmul(x * mask, weights))
        loss = tf.reduce_mean(tf.square(hidden - tf.cast(1, tf.dtypes.as_dtype(PRECISION))))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return loss


losses = []
rows = tf.constant(np.linspace(-1.0, 1.0, 12).reshape(3, 4), tf.float32)
for turn in range(60):
    losses.append(step(rows, tf.constant([1, 3, 4])))
