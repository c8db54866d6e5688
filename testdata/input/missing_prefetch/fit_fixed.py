# The target adds no prefetching of its own: `fit` waits for each batch.
# tf-version: 2.9
import tensorflow as tf


def train(model, images, labels):
    data = tf.data.Dataset.from_tensor_slices(
        (images, labels)
    ).shuffle(256).batch(32).prefetch(tf.data.AUTOTUNE)
    model.fit(data, epochs=5)
