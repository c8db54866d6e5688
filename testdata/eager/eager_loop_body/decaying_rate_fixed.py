# Numbers that the outer loop changes go in as tensors; a carried `None` stays in Python.
import numpy as np
import tensorflow as tf

inputs = tf.reshape(tf.linspace(-1.0, 1.0, 192), [64, 3])
targets = tf.reduce_sum(inputs, axis=1, keepdims=True)
weights = tf.Variable(tf.zeros([3, 1]))
rate = 0.3
penalty = 0.0
best = None


@tf.function
def train_step(x, y, penalty, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) - y))
        total = loss + penalty * tf.reduce_sum(tf.square(weights))
    gradient = tape.gradient(total, weights)
    weights.assign_sub(rate * gradient)
    return loss


for epoch in range(4):
    for start in range(0, 64, 8):
        x, y = inputs[start : start + 8], targets[start : start + 8]
        loss = train_step(
            x, y, tf.constant(penalty, tf.float32), tf.constant(rate, tf.float32)
        )
        best = loss if best is None else tf.minimum(loss, best)
    rate *= 0.7
    penalty = min(penalty + 0.01, 0.02)
    print(f"epoch {epoch}: {float(best):.5f}")

final = weights.numpy()
shrunk = np.abs(final).sum()
