# A rate that decays in Python and only multiplies tensors passes as a tensor.
import numpy as np
import tensorflow as tf

data = np.arange(64).reshape(16, 4).astype(np.float32) / 64
weights = tf.Variable(tf.zeros([4]))


@tf.function
def train_step(x, rows, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ weights[:, None] - 1.0) ** 2)
        loss += tf.reduce_mean(tf.gather(weights, rows) ** 2)
    gradient = tape.gradient(loss, weights)
    weights.assign_sub(rate * gradient)
    return loss


rate = 0.5
for step in range(12):
    rate *= 0.9
    loss = train_step(
        tf.constant(data), np.array([step % 4, 1]), tf.constant(rate, tf.float32)
    )
print(float(loss))
