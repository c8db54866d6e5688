# Vectors and matrices come to one call: a relaxed trace would know no rank of them.
import tensorflow as tf

weights = [
    tf.ones([3, 4]),
    tf.ones([4]),
    tf.ones([4, 5]),
    tf.ones([5]),
    tf.ones([5, 2]),
    tf.ones([2]),
]


@tf.function(reduce_retracing=True)
def penalty(weight):
    scaled = tf.tanh(weight) * 2.0 + tf.square(weight)
    scaled = tf.sigmoid(scaled) - tf.exp(-tf.square(scaled)) * 0.5
    scaled = tf.sin(scaled) + tf.cos(scaled) * tf.sqrt(tf.abs(scaled) + 1.0)
    return tf.reduce_sum(tf.square(scaled))


total = tf.constant(0.0)
for _ in range(10):
    for weight in weights:
        total += penalty(weight)
