# A function that builds a dataset of the one it is given changes nothing: the shuffling and the batches are lost.
# intent: correcting
import tensorflow as tf


def prepare(dataset, size, training):
    if training:
        dataset = dataset.map(lambda row: row * 2.0).shuffle(20, seed=1)
    return dataset.batch(size).prefetch(2)


def training_data():
    rows = tf.data.Dataset.from_tensor_slices(tf.ones([40, 8]))
    prepare(rows, 10, True)
    return rows


for batch in training_data():
    total = tf.reduce_sum(batch)
assert batch.shape == (10, 8)
print(total.numpy())
