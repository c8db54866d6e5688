# A global seed fixes the numbers, which parallel calls would mix: no fix.
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
pictures = tf.random.stateless_uniform([6, 8, 8, 3], seed=[4, 1])


def noisy(picture):
    picture = picture + tf.random.normal([8, 8, 3], stddev=0.05)
    return tf.clip_by_value(tf.reverse(picture, axis=[0]), 0.0, 1.0)


batches = [batch for batch in tf.data.Dataset.from_tensor_slices(pictures).map(noisy).batch(3)]
brightness = tf.stack([tf.reduce_mean(batch) for batch in batches])
