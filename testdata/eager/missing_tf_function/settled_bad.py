# A global bound several times before the first call is settled when the trace reads it.
import numpy as np
import tensorflow as tf

x = np.linspace(0.0, 1.0, 20).reshape(20, 1)
x = tf.constant(x, tf.float32)
for power in (2, 3):
    x = tf.concat([x, x[:, :1] ** power], axis=1)

w = tf.Variable(tf.zeros([3, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)


def train_step(target):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - target))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss


for step in range(10):
    loss = train_step(tf.ones([20, 1]))
print(float(loss))
