# The number of rows is made from the batch size, or the batch size from that: there is no remainder,
# whatever the numbers are.
import os

import numpy as np
import tensorflow as tf

batch_size = int(os.environ.get("BATCH", "16"))
rows = np.ones((int(os.environ.get("ROWS", "50")), 2), dtype=np.float32)
w = tf.Variable(tf.ones([2, 1]))


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    w.assign_sub(0.05 * tape.gradient(loss, w))


used = len(rows) // batch_size * batch_size
kept = rows[:used]
for x in tf.data.Dataset.from_tensor_slices(kept).shuffle(48).batch(batch_size):
    train_step(x)
for epoch in range(3):
    for x in tf.data.Dataset.from_tensor_slices(rows).batch(rows.shape[0]):
        train_step(x)
