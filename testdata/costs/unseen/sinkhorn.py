"""Optimal transport between two clouds, by Sinkhorn's iterations in logarithms."""
import tensorflow as tf

PAIRS = 6
SWEEPS = 15


def cost(a, b):
    return tf.reduce_sum(tf.square(a[:, None] - b[None]), axis=-1)


def plan(a, b, scale):
    moved = -cost(a, b) / scale
    f, g = tf.zeros([a.shape[0]]), tf.zeros([b.shape[0]])
    for _ in range(SWEEPS):
        f = -tf.reduce_logsumexp(moved + g[None, :], axis=1)
        g = -tf.reduce_logsumexp(moved + f[:, None], axis=0)
    return tf.exp(moved + f[:, None] + g[None, :])


def transport(a, b):
    shares = plan(a, b, 0.5)
    return tf.reduce_sum(shares * cost(a, b)) / tf.reduce_sum(shares)


total = 0.0
for pair in range(PAIRS):
    a = tf.random.stateless_normal([20, 2], [pair, 0])
    b = tf.random.stateless_normal([25, 2], [pair, 1]) + 1.0
    total += float(transport(a, b))
print(total / PAIRS)
