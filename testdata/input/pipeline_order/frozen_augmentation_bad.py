# `cache` behind random draws keeps those of the first epoch, however they are made.
import tensorflow as tf

images = tf.random.stateless_uniform([12, 8, 8, 3], seed=[1, 1])
flip = tf.keras.Sequential([tf.keras.layers.RandomFlip("horizontal"), tf.keras.layers.Rescaling(2.0)])


def jitter(image):
    noise = tf.random.normal([8, 8, 3], stddev=0.1)
    return image + noise


def augment(image):
    image = tf.image.random_crop(image, [6, 6, 3])
    return tf.cond(tf.random.uniform([]) > 0.5, lambda: image, lambda: -image)


def pipelines():
    data = tf.data.Dataset.from_tensor_slices(images)
    noisy = data.map(jitter).map(lambda image: image * 2.0)
    noisy = noisy.cache()
    cropped = data.map(augment, num_parallel_calls=2).batch(4).cache().prefetch(1)
    flipped = data.batch(4).map(lambda batch: flip(batch, training=True)).cache().shuffle(3)
    return noisy, cropped, flipped


frozen = []
for pipeline in pipelines():
    epochs = [tf.concat([tf.reshape(e, [-1]) for e in pipeline], 0) for _ in range(2)]
    frozen.append(bool(tf.reduce_all(tf.sort(epochs[0]) == tf.sort(epochs[1]))))
assert frozen == [True, True, True]
