# A signature casts no tensor and adds no dimension: the rank, the size and the dtype have to be its own.
# intent: correcting
import numpy as np
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([], tf.int32)])
def scaled(rows, times):
    return rows * tf.cast(times, tf.float32)


class Scorer:
    def __init__(self):
        self.weights = tf.Variable(tf.ones([3]))

    @tf.function(input_signature=(tf.TensorSpec(shape=(None, 3)),))
    def score(self, rows):
        return tf.linalg.matvec(rows, self.weights)


scorer = Scorer()
row = np.ones([3], np.float32)
for name in ("rank", "size", "dtype", "number"):
    if name == "rank":
        result = scaled(tf.ones([3]), 2)
    elif name == "size":
        result = scorer.score(tf.ones([2, 4]))
    elif name == "dtype":
        result = scaled(tf.ones([2, 3], tf.float64), tf.constant(2))
    else:
        result = scaled(row, 0.5)
