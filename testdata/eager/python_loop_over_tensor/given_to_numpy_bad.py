# NumPy takes, or a list keeps, what Python computes of a tensor row by row: for many rows, or on each
# turn of a loop, one operation on the whole costs less, whatever takes the results.
import numpy as np
import tensorflow as tf

rows = tf.random.stateless_normal([200, 8], seed=[1, 2])
lengths = np.array([tf.norm(row).numpy() for row in rows])


def similarity(first, second):
    scores = []
    for a, b in zip(first, second):
        scores.append(tf.reduce_sum(a * b).numpy())
    return np.mean(scores)


def resized(batches):
    kept = []
    for images in batches:
        kept.append([tf.image.resize(image, [4, 4]) for image in images])
    return kept


images = tf.random.stateless_uniform([64, 8, 8, 3], seed=[1, 2])
batches = tf.data.Dataset.from_tensor_slices(images).batch(16)
score = similarity(rows, tf.reverse(rows, axis=[0]))
kept = resized(batches)
