# The optimizer is rebound between loops: only the part before its update is traced.
import numpy as np
import tensorflow as tf

table = tf.Variable(tf.ones([3, 2]))
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function(reduce_retracing=True)
def train_step(x, mask):
    with tf.GradientTape() as tape:
        error = tf.square(tf.matmul(x, table) - 0.5)
        if mask is not None:
            error = error * mask
        loss = tf.reduce_mean(error)
    gradient = tape.gradient(loss, table)
    return loss, gradient


def fill(x, mask=None):
    loss, gradient = train_step(x, mask)
    optimizer.apply_gradients([(gradient, table)])
    return loss


x = tf.linspace(tf.zeros([3]), tf.ones([3]), 5)
mask = np.random.RandomState(2).rand(5, 2) > 0.5
for step in range(20):
    first = fill(x)
optimizer = tf.keras.optimizers.SGD(0.02)
for step in range(20):
    second = fill(x, mask=mask.astype(np.float32))
print(float(first), float(second))
