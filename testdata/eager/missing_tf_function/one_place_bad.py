# Many operations on every turn are worth a word, though one place keeps them from being traced.
import numpy as np
import tensorflow as tf


def corners(boxes):
    half = boxes[:, 2:] / 2.0
    return tf.concat([boxes[:, :2] - half, boxes[:, :2] + half], axis=1)


def match(truth, default):
    lower = tf.maximum(corners(truth)[:, None, :2], corners(default)[None, :, :2])
    upper = tf.minimum(corners(truth)[:, None, 2:], corners(default)[None, :, 2:])
    shared = tf.reduce_prod(tf.maximum(upper - lower, 0.0), axis=2)
    areas = tf.reduce_prod(truth[:, None, 2:], axis=2) + tf.reduce_prod(default[None, :, 2:], axis=2)
    overlap = shared / (areas - shared)
    assert tf.reduce_all(overlap <= 1.0001).numpy()
    best = tf.argmax(overlap, axis=0)
    return tf.where(tf.reduce_max(overlap, axis=0)[:, None] > 0.3, tf.gather(truth, best), default)


DEFAULT = tf.constant([[0.25, 0.25, 0.5, 0.5], [0.75, 0.25, 0.5, 0.5], [0.5, 0.75, 1.0, 0.5]])
matched = []
for number in range(40):
    rows = np.array([[0.3, 0.3, 0.4, 0.4], [0.5, 0.7, 0.9, 0.4]], np.float32) + number / 400.0
    matched.append(match(tf.constant(rows), DEFAULT))
