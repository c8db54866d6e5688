"""How probable sequences are under a hidden Markov model: the forward algorithm, in logarithms."""
import numpy as np
import tensorflow as tf

ROUNDS = 6
STATES, SYMBOLS, LENGTH = 6, 12, 30

start = tf.nn.log_softmax(tf.random.normal([STATES]))
moves = tf.nn.log_softmax(tf.random.normal([STATES, STATES]), axis=1)
shows = tf.nn.log_softmax(tf.random.normal([STATES, SYMBOLS]), axis=1)


@tf.function
def log_likelihood(sequence):
    emitted = tf.transpose(tf.gather(shows, sequence, axis=1))
    alpha = start + emitted[0]
    for t in range(1, LENGTH):
        alpha = tf.reduce_logsumexp(alpha[:, None] + moves, axis=0) + emitted[t]
    return tf.reduce_logsumexp(alpha)


sequences = np.random.default_rng(2).integers(SYMBOLS, size=(10, LENGTH))
totals = []
for _ in range(ROUNDS):
    total = 0.0
    for sequence in sequences:
        total += log_likelihood(tf.constant(sequence))
    totals.append(float(total))
print(totals[-1])
