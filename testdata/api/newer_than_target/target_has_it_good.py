# The target has all of these names and arguments.
# tf-version: 2.17
import tensorflow as tf

total = tf.keras.ops.sum(tf.ones([2, 2]))
layer = tf.keras.layers.LSTM(4, use_cudnn=False)
data = tf.data.Dataset.range(8).map(lambda i: i * 2, num_parallel_calls=2)
