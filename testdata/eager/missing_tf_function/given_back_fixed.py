"""What is given back as it is is the same tensor, and from a trace another one."""

import tensorflow as tf


@tf.function
def checked(x):
    tf.debugging.assert_greater(tf.reduce_sum(tf.square(x)), -1.0)
    tf.debugging.assert_less(tf.reduce_mean(tf.tanh(x)), 10.0)
    return x


rows = tf.ones([3, 4])
for _ in range(40):
    print(checked(rows).numpy())
