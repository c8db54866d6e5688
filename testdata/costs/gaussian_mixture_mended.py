"""Expectation and maximisation for a mixture of Gaussians, in plain operations."""
import tensorflow as tf

tf.random.set_seed(9)
ROUNDS = 20

data = tf.random.normal([300, 4])
means = tf.random.normal([5, 4])
scales = tf.ones([5, 4])
weights = tf.fill([5], 0.2)


@tf.function
def improve(means, scales, weights):
    distance = (data[:, None, :] - means[None]) / scales[None]
    logs = -0.5 * tf.reduce_sum(tf.square(distance), axis=2)
    logs = logs - tf.reduce_sum(tf.math.log(scales), axis=1) + tf.math.log(weights)
    shares = tf.nn.softmax(logs, axis=1)
    total = tf.reduce_sum(shares, axis=0)
    means = tf.matmul(shares, data, transpose_a=True) / total[:, None]
    spread = tf.square(data[:, None, :] - means[None]) * shares[:, :, None]
    scales = tf.sqrt(tf.reduce_sum(spread, axis=0) / total[:, None] + 1e-4)
    weights = total / 300.0
    return means, scales, weights


for round_ in range(ROUNDS):
    means, scales, weights = improve(means, scales, weights)
