# The batch size may not divide the data: a smaller last batch is a second trace of the step.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
x = rng.rand(50, 4).astype("float32")
data = tf.data.Dataset.from_tensor_slices(x).shuffle(50, seed=1).batch(16).prefetch(1)
w = tf.Variable(tf.ones([4, 1]))


@tf.function
def train_step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(batch @ w - 1.0))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


history = []
for epoch in range(3):
    for batch in data:
        loss = train_step(batch)
    history.append(float(loss))
