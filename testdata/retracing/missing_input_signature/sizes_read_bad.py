# Sizes that a signature would leave open are read while tracing: nothing is rewritten.
import tensorflow as tf


@tf.function
def mean_with_count(x):
    return tf.reduce_sum(x) / x.shape[0] + len(x)


for size in range(1, 6):
    print(float(mean_with_count(tf.ones([size]))))
