# An argument that is None in one loop and an array in the next makes two traces, no more.
import numpy as np
import tensorflow as tf

table = tf.Variable(tf.ones([3, 2]))
optimizer = tf.keras.optimizers.SGD(0.1)


def update(x, mask=None):
    with tf.GradientTape() as tape:
        error = tf.square(tf.matmul(x, table) - 0.5)
        if mask is not None:
            error = error * mask
        loss = tf.reduce_mean(error)
    gradient = tape.gradient(loss, table)
    optimizer.apply_gradients([(gradient, table)])
    return loss


x = tf.linspace(tf.zeros([3]), tf.ones([3]), 5)
mask = np.random.RandomState(2).rand(5, 2) > 0.5
for step in range(20):
    first = update(x)
for step in range(20):
    second = update(x, mask=mask.astype(np.float32))
print(float(first), float(second))
