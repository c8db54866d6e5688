"""A character model with a gated cell written from scratch, unrolled in Python."""
import numpy as np
import tensorflow as tf

STEPS = 20
VOCAB, HIDDEN, LENGTH, BATCH = 30, 48, 12, 16


def weight(*shape):
    return tf.Variable(tf.random.normal(shape, stddev=0.08))


w_z, u_z, b_z = weight(VOCAB, HIDDEN), weight(HIDDEN, HIDDEN), tf.Variable(tf.zeros([HIDDEN]))
w_r, u_r, b_r = weight(VOCAB, HIDDEN), weight(HIDDEN, HIDDEN), tf.Variable(tf.zeros([HIDDEN]))
w_h, u_h, b_h = weight(VOCAB, HIDDEN), weight(HIDDEN, HIDDEN), tf.Variable(tf.zeros([HIDDEN]))
w_out, b_out = weight(HIDDEN, VOCAB), tf.Variable(tf.zeros([VOCAB]))
params = [w_z, u_z, b_z, w_r, u_r, b_r, w_h, u_h, b_h, w_out, b_out]
optimizer = tf.keras.optimizers.RMSprop(1e-3)


def cell(x, h):
    z = tf.sigmoid(tf.matmul(x, w_z) + tf.matmul(h, u_z) + b_z)
    r = tf.sigmoid(tf.matmul(x, w_r) + tf.matmul(h, u_r) + b_r)
    candidate = tf.tanh(tf.matmul(x, w_h) + tf.matmul(r * h, u_h) + b_h)
    return (1 - z) * h + z * candidate


@tf.function
def train_step(tokens):
    with tf.GradientTape() as tape:
        h = tf.zeros([BATCH, HIDDEN])
        loss = 0.0
        for t in range(LENGTH):
            h = cell(tf.one_hot(tokens[:, t], VOCAB), h)
            logits = tf.matmul(h, w_out) + b_out
            loss += tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=tokens[:, t + 1], logits=logits))
        loss /= LENGTH
    grads = tape.gradient(loss, params)
    grads = [tf.clip_by_value(g, -1.0, 1.0) for g in grads]
    optimizer.apply_gradients(zip(grads, params))
    return loss


rng = np.random.default_rng(1)
text = tf.constant(rng.integers(VOCAB, size=(BATCH, LENGTH + 1)), tf.int32)

for step in range(STEPS):
    loss = train_step(text)
