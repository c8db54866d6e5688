# Unpacking, comprehensions and `zip` iterate in Python: `tf.unstack` where the size is known.
# intent: correcting
import tensorflow as tf


@tf.function
def area(image):
    height, width, _ = tf.shape(image)
    return height * width


@tf.function
def doubled():
    steps = tf.constant([0.5, 1.5, 2.5])
    return tf.stack([step * 2.0 for step in steps])


@tf.function
def weighted(x):
    weights = tf.constant([1.0, 2.0])
    total = tf.zeros([])
    for weight, value in zip(weights, [x, x * x]):
        total += weight * value
    return total


@tf.function
def inner():
    left = tf.constant([1.0, 2.0])
    right = tf.constant([3.0, 4.0])
    total = tf.zeros([])
    for a, b in zip(left, right):
        total += a * b
    return total


@tf.function
def paired():
    left = tf.constant([1.0, 2.0])
    right = tf.constant([3.0, 4.0])
    products = [a * b for a, b in zip(left, right)]
    return products + [a * i for i, a in enumerate(left)]


pixels = area(tf.zeros([4, 5, 3]))
stairs = doubled()
mean = weighted(tf.constant(3.0))
product = inner()
pairs = paired()
