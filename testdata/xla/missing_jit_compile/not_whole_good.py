# An operation that XLA lacks, draws otherwise, does worse or sizes by data stands in the way.
import tensorflow as tf


@tf.function
def shown(x):
    for _ in tf.range(3):
        x = tf.tanh(x)
        tf.print(tf.reduce_sum(x))
    return x


@tf.function
def noisy(x):
    for _ in tf.range(3):
        x = tf.tanh(x) + tf.random.normal([4])
    return x


@tf.function
def blurred(image, kernel):
    for _ in tf.range(3):
        image = tf.nn.conv2d(image, kernel, 1, "SAME")
    return image


@tf.function
def unrolled(x):
    for _ in range(30):
        x = tf.sin(x) * 0.5 + x
    return x


@tf.function
def kept(x):
    total = tf.constant(0.0)
    for _ in tf.range(3):
        total += tf.reduce_sum(tf.boolean_mask(x, x > total))
    return total


@tf.function
def filtered(x, place):
    for _ in tf.range(3):
        x = x - 0.1 * tf.reduce_mean(x[x > 0.5]) + x[place]
    return x


x = tf.linspace(0.0, 1.0, 4)
image = tf.ones([1, 4, 4, 1])
kernel = tf.ones([2, 2, 1, 1]) / 4.0
for step in range(5):
    results = [shown(x), noisy(x), blurred(image, kernel), unrolled(x), kept(x)]
    results.append(filtered(x, tf.constant(1)))
