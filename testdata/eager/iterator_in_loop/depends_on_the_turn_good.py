# Data that the turn changes, in place or by a draw, or an iterator that goes on: silent.
import numpy as np
import tensorflow as tf

x = np.ones([8, 3], np.float32)
batches = iter(tf.data.Dataset.from_tensor_slices(x).repeat().batch(2))
totals = []

for size in range(1, 8):
    data = tf.data.Dataset.from_tensor_slices(x).batch(size)
    totals.append(tf.reduce_sum(next(iter(data))))

for step in range(50):
    np.random.shuffle(x)
    data = tf.data.Dataset.from_tensor_slices(x).batch(2)
    totals.append(tf.reduce_sum(next(iter(data))))

for step in range(50):
    totals.append(tf.reduce_sum(next(batches)))

for step in range(500):
    if step % 100 == 0:
        totals.append(tf.reduce_sum(next(iter(data))))

memory = np.zeros([4, 2], np.float32)


def remember(row):
    memory[row % 4] = row


for step in range(50):
    remember(step)
    recent = tf.data.Dataset.from_tensor_slices(memory).batch(4)
    totals.append(tf.reduce_sum(next(iter(recent))))


def noise():
    return tf.data.Dataset.from_tensor_slices(np.random.rand(8, 2)).batch(4)


for step in range(50):
    drawn = tf.data.Dataset.from_tensor_slices(tf.random.normal([8, 2])).batch(4)
    totals.append(tf.reduce_sum(next(iter(drawn))))
    totals.append(tf.reduce_sum(next(iter(noise()))))
