"""Sizes that are known or made to divide, dropped remainders, batches made of an endless stream."""

import numpy as np
import tensorflow as tf

w = tf.Variable(tf.ones([2, 1]))


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    w.assign_sub(0.05 * tape.gradient(loss, w))


def endless():
    while True:
        yield np.ones(2, dtype=np.float32)


rows = np.ones((64, 2), dtype=np.float32)
exact = tf.data.Dataset.from_tensor_slices(rows / 2.0).batch(16)
dropped = tf.data.Dataset.from_tensor_slices(rows[:50]).batch(16, drop_remainder=True)
repeated = tf.data.Dataset.from_tensor_slices(rows[:50]).repeat().batch(16)
spec = tf.TensorSpec([2], tf.float32)
stream = tf.data.Dataset.from_generator(endless, output_signature=spec).batch(16)

kept = rows[: 50 // 16 * 16]
cut = tf.data.Dataset.from_tensor_slices(kept).shuffle(48).batch(16)
whole = tf.data.Dataset.from_tensor_slices(rows[:50]).batch(len(rows[:50]))
later = tf.data.Dataset.from_tensor_slices(np.expand_dims(rows, 0)[0]).skip(32).batch(16)
joined = np.concatenate([rows, rows]).reshape([-1, 2])
double = tf.data.Dataset.from_tensor_slices(tf.random.shuffle(joined)).batch(32)

for x in exact:
    train_step(x)
for x in dropped:
    train_step(x)
for x in repeated.take(6):
    train_step(x)
for data in (cut, whole, later, double):
    for x in data:
        train_step(x)
for step, x in enumerate(stream):
    train_step(x)
    if step == 5:
        break
