# Members of a list have several ranks, which no call shows by itself.
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
    return tf.reduce_sum(tf.square(weight))


total = tf.constant(0.0)
for weight in weights:
    total += penalty(weight)
