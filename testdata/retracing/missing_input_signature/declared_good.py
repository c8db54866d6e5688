# A signature, or relaxed shapes, already say what the function takes.
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])
def score(x):
    return tf.reduce_sum(x, axis=1)


@tf.function(reduce_retracing=True)
def centre(x):
    return x - tf.reduce_mean(x)


x = tf.ones([3, 4], tf.float32)
print(score(x), centre(x))
