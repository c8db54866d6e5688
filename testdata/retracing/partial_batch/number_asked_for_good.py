# The program asks for so many rows and for so many in a batch: it is not known that one does not divide the other.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
w = tf.Variable(tf.ones([3, 1]))


def points(count):
    rows = []
    for _ in range(count):
        rows.append(np.random.uniform(size=3))
    return np.array(rows, np.float32), count


def split(rows, part):
    first = int(round(part * len(rows)))
    return tf.cast(rows[:first], tf.float32), tf.cast(rows[first:], tf.float32)


@tf.function
def update(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


samples, _ = points(40)
train, test = split(samples, 0.8)
for x in tf.data.Dataset.from_tensor_slices(train).batch(16):
    loss = update(x)
