# tf-version: 2.9
import tensorflow as tf


def numbers():
    yield from range(100)


def train(model, images, labels, given):
    data = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)
    model.fit(data.prefetch(2), epochs=5)
    model.fit(given.batch(32), epochs=5)
    model.fit(tf.data.Dataset.from_generator(numbers, tf.int32).batch(8))
    for batch in tf.data.Dataset.range(100).batch(10):
        print(batch)
