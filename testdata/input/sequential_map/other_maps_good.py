# Stateless, parallel, batched, cached or small maps gain nothing by being told.
import tensorflow as tf


def scale(image):
    return tf.image.resize(image, [8, 8]) / 255.0


def augment(image):
    image = tf.image.random_flip_left_right(image)
    return tf.image.random_brightness(image, 0.2)


def seeded(pair):
    seed, image = pair
    image = tf.image.stateless_random_flip_left_right(image, seed)
    return tf.image.stateless_random_brightness(image, 0.2, seed)


def number(_):
    return tf.random.uniform([])


def from_file(path):
    image = tf.numpy_function(open, [path], tf.float32)
    image = tf.image.random_flip_left_right(image)
    return tf.image.resize(image, [8, 8])


def pipelines(images, seeds, options):
    data = tf.data.Dataset.from_tensor_slices(images)
    yield data.map(scale)
    yield data.map(augment, num_parallel_calls=4)
    yield data.map(augment, tf.data.AUTOTUNE)
    yield data.map(augment, **options)
    yield data.batch(32).map(augment)
    yield data.map(augment).cache()
    yield data.map(augment).take(3)
    yield data.map(number)
    yield data.map(from_file)
    yield tf.data.Dataset.zip((seeds, data)).map(lambda *pair: seeded(pair))
