# `shuffle` behind `batch` moves whole batches, whose members stay together.
import tensorflow as tf

BATCH_SIZE = 4
x = tf.range(16.0)
w = tf.Variable(1.0)


def batches():
    return tf.data.Dataset.from_tensor_slices(x).batch(BATCH_SIZE).shuffle(100)


def train(data, epochs):
    members = set()
    for _ in range(epochs):
        for batch in data:
            w.assign_sub(0.01 * tf.reduce_mean(batch) * w)
            members.add(tuple(batch.numpy().tolist()))
    return len(members)


data = tf.data.Dataset.from_tensor_slices(x)
data = data.map(lambda v: v / 16.0).batch(2)
data = data.prefetch(2).shuffle(8)
for batch in data:
    w.assign_add(tf.reduce_sum(batch))

assert train(batches(), 5) == 4
