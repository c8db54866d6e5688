# Python makes or changes whole batches, once for many elements.
import numpy as np
import tensorflow as tf


def batches():
    for start in range(0, 64, 8):
        yield np.arange(start, start + 8, dtype=np.float32)[:, np.newaxis]


def normal(batch):
    return np.float32((batch - batch.mean()) / batch.std())


def pair(batch):
    return batch, batch


def train(model, rows):
    generated = tf.data.Dataset.from_generator(
        batches, output_signature=tf.TensorSpec([8, 1], tf.float32)
    )
    model.fit(generated.map(pair).prefetch(2))
    data = tf.data.Dataset.from_tensor_slices(rows).batch(8)
    data = data.map(lambda batch: tf.numpy_function(normal, [batch], tf.float32))
    model.fit(data.map(pair))
