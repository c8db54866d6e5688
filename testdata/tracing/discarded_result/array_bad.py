# In a trace `write` and `unstack` give a new TensorArray, which the old name has to take.
# intent: correcting
import tensorflow as tf


@tf.function
def squares(x):
    squared = tf.TensorArray(tf.float32, size=3)
    for i in tf.range(3):
        squared.write(i, x[i] * x[i])
    doubled = tf.TensorArray(tf.float32, size=3)
    doubled.unstack(x)
    return squared.stack(), 2.0 * doubled.stack()


results = squares(tf.constant([1.0, 2.0, 3.0]))
