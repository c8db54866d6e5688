# What is cached was drawn once in any case: before the pipeline began, or by a seed of each element's own.
import tensorflow as tf

images = tf.random.stateless_uniform([12, 8, 8, 3], seed=[1, 1])
noise = tf.random.normal([8, 8, 3], stddev=0.1)


def shifted(image):
    return image + noise


def cropped(number, image):
    seed = tf.stack([number, tf.constant(7, tf.int64)])
    return tf.image.stateless_random_crop(image, [6, 6, 3], seed=seed)


def pipelines():
    data = tf.data.Dataset.from_tensor_slices(images)
    fixed = data.map(shifted).cache().shuffle(12).batch(4)
    twice = data.repeat(2).enumerate().map(cropped).cache().batch(4)
    return fixed, twice


for pipeline in pipelines():
    first, second = (tf.sort(tf.concat([tf.reshape(e, [-1]) for e in pipeline], 0)) for _ in range(2))
    assert bool(tf.reduce_all(first == second))
