# What is read of a tensor only for `assign` goes to the host and back, on each step.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
rng = np.random.RandomState(0)
w = tf.Variable(tf.ones([4, 1]))
mean = tf.Variable(tf.zeros([4, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)
steps = tf.Variable(0.0)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss


for step in range(40):
    train_step(rng.rand(8, 4).astype(np.float32))
    steps.assign_add(1.0)
    rate = 0.1 / (1.0 + 0.01 * steps)
    optimizer.learning_rate.assign(rate.numpy())
    mean.assign(0.9 * mean.numpy() + 0.1 * w.numpy())
result = mean.numpy()
print(result.shape)
