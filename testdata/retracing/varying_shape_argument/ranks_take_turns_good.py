# Two shapes of two ranks are two traces.
import tensorflow as tf

weights = [tf.ones([3, 4]), tf.ones([4])]


@tf.function
def penalty(weight):
    return tf.reduce_sum(tf.nn.softmax(weight, axis=0) * weight)


total = tf.constant(0.0)
for _ in range(20):
    for weight in weights:
        total += penalty(weight)
