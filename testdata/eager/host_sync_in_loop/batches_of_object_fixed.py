# What has `__len__` and `__getitem__` is gone through member by member, whatever these are.
import json

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
table = json.loads("[[0.1, 0.7, 0.3], [0.4, 0.2, 0.9], [0.5, 0.6, 0.8], [0.3, 0.1, 0.2]]") * 6
weights = tf.Variable(tf.zeros([3, 1]))


class Batches:
    def __init__(self, rows, size):
        self.rows = rows
        self.size = size

    def __len__(self):
        return len(self.rows) // self.size

    def __getitem__(self, place):
        if place >= len(self):
            raise IndexError(place)
        return self.rows[place * self.size : (place + 1) * self.size]


@tf.function
def train_step(rows):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(rows @ weights - tf.reduce_sum(rows, 1, keepdims=True)))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return loss


losses = []
for part in Batches(table, 2):
    loss = train_step(tf.constant(part))
    losses.append(loss)
losses = [loss.numpy() for loss in losses]
