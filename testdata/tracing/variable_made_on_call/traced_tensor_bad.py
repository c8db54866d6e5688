# What a traced function makes a variable of, and only computes with, is a tensor: another call can't make a second variable.
# intent: correcting
import tensorflow as tf


@tf.function
def picked(rows, scale):
    order = tf.Variable(range(rows.shape[0]), trainable=False)
    factor = tf.Variable([[scale]], dtype=tf.float32, name="factor")
    return tf.gather(rows[:, :2], order[::-1]) * factor


@tf.function
def kept(rows):
    total = tf.Variable(tf.zeros([2]))
    total.assign_add(tf.reduce_sum(rows, axis=0))
    return total + 1.0


rows = tf.reshape(tf.range(6.0), [3, 2])
first = picked(rows, 2.0)
second = picked(rows + 1.0, 2.0)
